// The page's side: what Streamlit's front end takes for a server is a worker of this page.
"use strict";
{
  const script = document.currentScript;
  const root = new URL("./", script.src);
  const worker = new Worker(new URL("worker.js", root), { type: "module" });
  const names = new Map(); // of the files that the app offers, by their address
  const waiting = new Map(); // uploads under way, by number
  let socket = null;
  let uploads = 0;

  // A folder's address ends with a slash, a page's does not.
  const { pathname, search, hash } = location;
  if (pathname.length > root.pathname.length && pathname.endsWith("/")) {
    history.replaceState(history.state, "", pathname.slice(0, -1) + search + hash);
  }

  // The front end need not look for its server, nor ask it what it allows.
  const allowed = { allowedOrigins: [root.origin], useExternalAuthToken: false };
  const BASE = { BACKEND_BASE_URL: root.href, MAIN_PAGE_BASE_URL: root.href };
  window.__streamlit = { ...BASE, HOST_CONFIG: allowed };
  const known = { "_stcore/health": "ok", "_stcore/host-config": JSON.stringify(allowed) };
  const ask = window.fetch;
  window.fetch = (asked, ...more) => {
    const url = new URL(asked.url ?? asked, root).href;
    const said = url.startsWith(root.href) ? known[url.slice(root.href.length)] : undefined;
    if (said === undefined) return ask.call(window, asked, ...more);
    return Promise.resolve(new Response(said, { headers: { "Content-Type": "application/json" } }));
  };

  class Line extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;

    constructor(url) {
      super();
      Object.assign(this, { url, readyState: Line.CONNECTING, protocol: "streamlit" });
      Object.assign(this, { binaryType: "blob", bufferedAmount: 0, extensions: "" });
      socket = this;
      worker.postMessage({ kind: "connect" });
      queueMicrotask(() => {
        this.readyState = Line.OPEN;
        this.tell(new Event("open"));
      });
    }

    tell(event) {
      this[`on${event.type}`]?.(event);
      this.dispatchEvent(event);
    }

    send(data) {
      const bytes = new Uint8Array(data).slice();
      worker.postMessage({ kind: "message", bytes }, [bytes.buffer]);
    }

    close() {
      if (this.readyState === Line.CLOSED) return;
      this.readyState = Line.CLOSED;
      worker.postMessage({ kind: "disconnect" });
      this.tell(new CloseEvent("close"));
    }
  }
  window.WebSocket = Line;

  function show(text, step) {
    const box = document.getElementById("loading");
    if (!box) return;
    box.firstElementChild.textContent = text;
    if (step === undefined) box.querySelector("progress")?.remove();
    else box.querySelector("progress").value = step;
  }

  const heard = {
    step: ({ text, step }) => show(text, step),
    failed: ({ text }) => show(text),
    shown: () => document.getElementById("loading")?.remove(),
    message: ({ bytes }) => socket?.tell(new MessageEvent("message", { data: bytes })),
    file: ({ url, name }) => names.set(url, name),
    uploaded: ({ number }) => {
      waiting.get(number)?.();
      waiting.delete(number);
    },
  };
  worker.addEventListener("message", ({ data }) => heard[data.kind](data));
  worker.addEventListener("error", (event) => {
    show(`Python could not be started here: ${event.message || "a file is missing"}. ` +
      "Load the page again, or use a newer browser.");
  });

  // A file that the app offers lies in the page's own memory; its name comes beside it.
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    if (names.has(this.href)) {
      this.download = names.get(this.href);
      this.removeAttribute("target");
    }
    click.call(this);
  };

  // A file that is chosen goes to the worker; the request itself then asks for nothing.
  const place = new URL("_stcore/upload_file/", root).href;
  const nothing = URL.createObjectURL(new Blob([]));
  const { open, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, url, ...more) {
    const asked = new URL(url, location.href).href;
    this.upload_to = asked.startsWith(place) ? [method, asked.slice(place.length)] : null;
    if (this.upload_to) open.call(this, "GET", nothing, true);
    else open.call(this, method, url, ...more);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (!this.upload_to) {
      send.call(this, body);
      return;
    }
    const [method, path] = this.upload_to;
    const file = method === "PUT" ? [...body.values()][0] : null;
    const number = (uploads += 1);
    waiting.set(number, () => send.call(this));
    (file ? file.arrayBuffer() : Promise.resolve(null)).then((buffer) => {
      const about = file && { name: file.name, type: file.type };
      worker.postMessage({ kind: "upload", number, path, about, bytes: buffer });
    });
  };

  addEventListener("DOMContentLoaded", () => {
    const first = document.createElement("script");
    Object.assign(first, { type: "module", src: new URL(script.dataset.entry, root).href });
    document.body.append(first);
  });
}
