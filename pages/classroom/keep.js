// A browser keeps one token for a room: all its tabs, also those opened before it joined, are one
// phone, and an address that is passed on lets in somebody new.
export default function ({ data, setStateValue }) {
  const kept = document.cookie.split("; ").find((one) => one.startsWith(`${data.name}=`));
  const safe = location.protocol === "https:" ? "; Secure" : "";
  if (kept) setStateValue("token", kept.slice(data.name.length + 1));
  else document.cookie = `${data.name}=${data.token}; path=/; max-age=43200; SameSite=Lax${safe}`;
}
