for (const range of document.querySelectorAll('input[type=range]'))
  range.addEventListener('input', () => document.querySelector('.slider').style.setProperty('--at',
  range.value + '%'));
for (const button of document.querySelectorAll('button[data-copy]'))
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try { await navigator.clipboard.writeText(text); }
    catch {
      const area = Object.assign(document.createElement('textarea'), { value: text });
      document.body.append(area); area.select(); document.execCommand('copy'); area.remove();
    }
    button.textContent = 'Copied';
  });
for (const picture of document.querySelectorAll('button.picture'))
  picture.addEventListener('click', () => {
    const stage = picture.closest('.stage');
    stage.classList.toggle('large');
    stage.scrollIntoView({ block: 'nearest' });
  });
