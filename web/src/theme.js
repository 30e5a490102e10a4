// Apply the reader's theme before anything is drawn: a plain script in the head, which a module would be too late for.
{
  const theme = localStorage.getItem("punto.theme");
  if (theme) document.documentElement.dataset.theme = theme;
}
