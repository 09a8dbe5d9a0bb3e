// The token stays with the browser: an address that is passed on lets in somebody new.
export default function ({ data }) {
  const safe = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${data.token}; path=/; max-age=43200; SameSite=Lax${safe}`;
}
