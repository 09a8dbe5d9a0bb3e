// The worker's side: Pyodide, the packed files, and the app that answers the page.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const root = new URL("./", import.meta.url);
const say = (kind, more = {}, moved = []) => postMessage({ kind, ...more }, moved);
const manifest = fetch(new URL("manifest.json", root), { cache: "no-cache" }).then((r) => r.json());

// Files whose name holds their own checksum are asked for once in the life of a browser.
async function kept(path) {
  const url = new URL(path, root).href;
  let store = null;
  try {
    store = await caches.open("private-rates");
    const found = await store.match(url);
    if (found) return found;
  } catch {
    store = null; // no secure address or no room: the file is fetched as any other
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${path} is missing: put the whole folder on the server`);
  await store?.put(url, answer.clone()).catch(() => {});
  return answer;
}

async function forget(paths) {
  const store = await caches.open("private-rates");
  const wanted = new Set(paths.map((path) => new URL(path, root).href));
  for (const request of await store.keys()) if (!wanted.has(request.url)) store.delete(request);
}

const unzipped = (answer) =>
  new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

// A pack: the length of its list, the list of paths and sizes, and the files one after another.
function unpack(py, buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const list = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const made = new Set();
  let at = 4 + length;
  for (const [path, size] of list) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) {
      py.FS.mkdirTree(folder);
      made.add(folder);
    }
    py.FS.writeFile(path, new Uint8Array(buffer, at, size), { canOwn: true });
    at += size;
  }
}

async function start() {
  const { packs, late, version } = await manifest;
  const first = kept(packs.first).then(unzipped);
  const rest = Object.entries(packs).filter(([name]) => name !== "first");
  say("step", { text: "Loading Python …", step: 1 });
  const py = await loadPyodide({
    indexURL: new URL("pyodide/", root).href,
    env: { PRIVATE_RATES_VERSION: version, PYTHONDONTWRITEBYTECODE: "1" },
  });
  say("step", { text: "Loading the app …", step: 2 });
  unpack(py, await first);
  const ready = {};
  // What is imported before it has been brought is asked for while Python waits.
  const bring = (name) => {
    if (ready[name]) {
      unpack(py, ready[name]);
      ready[name] = null;
      return undefined;
    }
    const request = new XMLHttpRequest();
    request.open("GET", new URL(packs[name], root).href, false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new Error(`${packs[name]} is missing on the server`);
    return new Uint8Array(request.response);
  };
  say("step", { text: "Starting the app …", step: 3 });
  const told = {
    bring,
    unpack: (bytes) => unpack(py, bytes.buffer),
    message: (bytes) => say("message", { bytes: bytes.buffer }, [bytes.buffer]),
    shown: () => say("shown"),
    file: (url, name) => say("file", { url, name }),
  };
  const alone = await py.pyimport("alone").start(py.toPy(late), told);
  say("step", { text: "Drawing the first page …", step: 4 });
  const fetchRest = async () => {
    for (const [name, path] of rest) {
      const buffer = await kept(path).then(unzipped);
      ready[name] ??= alone.wants(name) ? buffer : null;
    }
    await forget(Object.values(packs)).catch(() => {});
  };
  return { alone, fetchRest };
}

const started = start().catch((error) => {
  const text = String(error.message ?? error).trim().split("\n").at(-1);
  say("failed", { text: `The app could not be started: ${text}. Load the page again.` });
  throw error;
});

addEventListener("message", async ({ data }) => {
  const { alone, fetchRest } = await started;
  if (data.kind === "connect") {
    alone.connect();
    setTimeout(fetchRest, 3000);
  } else if (data.kind === "message") alone.receive(data.bytes);
  else if (data.kind === "disconnect") alone.disconnect();
  else if (data.kind === "upload") {
    const bytes = data.bytes ? new Uint8Array(data.bytes) : undefined;
    alone.upload(data.path, bytes, data.about ?? undefined);
    say("uploaded", { number: data.number });
  }
});
