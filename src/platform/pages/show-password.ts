/** The script that pages with a password load. */
export const showPasswordPath = '/static/show-password.js'

/** Puts a button beside each password that shows and hides it. */
export const showPasswordScript = `for (const field of document.querySelectorAll('input[data-show]')) {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'show', textContent: field.dataset.show })
  button.setAttribute('aria-controls', field.id)
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.textContent = isShown ? field.dataset.hide : field.dataset.show
  }
  button.addEventListener('click', () => show(field.type === 'password'))
  // Otherwise the browser would not offer to save it, and would suggest it as earlier input.
  field.form.addEventListener('submit', () => show(false))
  field.after(button)
}
`
