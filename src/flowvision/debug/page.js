for (const range of document.querySelectorAll('input[type=range]'))
  range.addEventListener('input', () => document.querySelector('.slider').style.setProperty('--at',
  range.value + '%'));
for (const picture of document.querySelectorAll('button.picture'))
  picture.addEventListener('click', () => {
    const stage = picture.closest('.stage');
    stage.classList.toggle('large');
    stage.scrollIntoView({ block: 'nearest' });
  });
