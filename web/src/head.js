// What cannot wait for a module, in a plain script of the head: theme and language, before anything is drawn.
{
  const { currentScript, documentElement, head } = document;
  const { page, en, zh } = currentScript.dataset;
  const add = (tag, values) => head.append(Object.assign(document.createElement(tag), values));

  const theme = localStorage.getItem("punto.theme");
  if (theme) documentElement.dataset.theme = theme;
  if (page) {
    // Only the browser knows which texts the page will ask for, so the server cannot name them for preloading.
    const language = localStorage.getItem("punto.language") ?? navigator.language;
    const chinese = language.toLowerCase().startsWith("zh");
    documentElement.lang = chinese ? "zh-Hans" : "en";
    add("link", { rel: "modulepreload", href: chinese ? zh : en });
    // The page is drawn as it came before its script, which is loaded meanwhile, keeps the browser busy.
    const start = () => add("script", { type: "module", src: page });
    const startAfterFrame = () => requestAnimationFrame(() => setTimeout(start));
    addEventListener("DOMContentLoaded", () => (document.hidden ? start() : startAfterFrame()));
  }
}
