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
form.addEventListener('input', show);
form.addEventListener('submit', event => event.preventDefault());
show();
