const cards = [...document.querySelectorAll('.cards > article')];
const form = document.querySelector('form');
const plain = text => text.normalize('NFC').toLowerCase();
function show() {
  const { outcome, size, name } = Object.fromEntries(new FormData(form));
  let shown = 0;
  for (const card of cards) {
    const all = [card, ...card.querySelectorAll('article')];
    const named = all.filter(one => plain(one.dataset.name).includes(plain(name)));
    const { outcome: o, size: s } = card.dataset;
    for (const one of all) one.hidden = !named.includes(one);
    card.hidden = (outcome && o !== outcome) || (size && s !== size) || !named.length;
    if (card.hidden) continue;
    shown += named.length;
    const folded = card.querySelector('details');
    if (folded && name) folded.open = named.some(one => one !== card);
  }
  document.querySelector('output').textContent = shown + ' shown';
}
document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  const text = button.dataset.copy;
  try { await navigator.clipboard.writeText(text); }
  catch {
    const area = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(area); area.select(); document.execCommand('copy'); area.remove();
  }
  button.textContent = 'copied';
});
form.addEventListener('input', show);
form.addEventListener('submit', event => event.preventDefault());
show();
