/* global window, document, location, URLSearchParams, ResizeObserver */
const about = new URLSearchParams(location.hash.slice(1))
const secret = about.get('secret') ?? ''
const parentOrigin = about.get('parent')
const base = location.pathname.replace(/\/$/, '')
const byId = (id) => document.getElementById(id)
const form = byId('form')

/** Tells the page around this one; the browser delivers it only where that page is of the origin it named. */
function tell(message) {
  if (window.parent !== window && parentOrigin) {
    window.parent.postMessage({ from: 'sandbox-checkout', ...message }, parentOrigin)
  }
}

async function ask(path, body) {
  const answer = await fetch(`${base}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${secret}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const said = await answer.json()
  if (answer.ok) return said
  throw Object.assign(new Error(said.error?.message ?? 'Something went wrong.'), { about: said.error })
}

function money(amount, currency) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits)
}

const brands = [
  ['Visa', /^4/],
  ['Mastercard', /^(?:5[1-5]|2[2-7])/],
  ['Amex', /^3[47]/],
  ['Discover', /^6/],
]
const digitsOf = (id) => byId(id).value.replace(/\D/g, '')
const brandOf = (digits) => brands.find(([, start]) => start.test(digits))?.[0] ?? ''
const lengthOf = (digits) => (brandOf(digits) === 'Amex' ? 15 : 16)

function spaced(digits) {
  const groups =
    brandOf(digits) === 'Amex' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/
  return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ')
}

function hasCheckDigit(digits) {
  const sum = [...digits].reverse().reduce((total, letter, at) => {
    const digit = Number(letter) * (at % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}

/** What is wrong with each field, in Stripe's words; empty where nothing is. */
const checks = {
  email: () => (byId('email').validity.valid ? '' : 'Your email is incomplete.'),
  number: () => {
    const digits = digitsOf('number')
    if (digits.length < lengthOf(digits)) return 'Your card number is incomplete.'
    return hasCheckDigit(digits) ? '' : 'Your card number is invalid.'
  },
  expiration: () => {
    const { month, year, isWhole } = expiration()
    if (!isWhole) return "Your card's expiration date is incomplete."
    return month < 1 || month > 12 || new Date(year, month, 1) <= new Date()
      ? "Your card's expiration date is in the past."
      : ''
  },
  cvc: () =>
    digitsOf('cvc').length === (brandOf(digitsOf('number')) === 'Amex' ? 4 : 3)
      ? ''
      : "Your card's security code is incomplete.",
  cardholder: () => (byId('cardholder').value.trim() ? '' : 'Your full name is incomplete.'),
}

function expiration() {
  const digits = digitsOf('expiration')
  return {
    month: Number(digits.slice(0, 2)),
    year: 2000 + Number(digits.slice(2)),
    isWhole: digits.length === 4,
  }
}

function mark(id, message) {
  byId(`${id}-error`).textContent = message
  if (message) byId(id).setAttribute('aria-invalid', 'true')
  else byId(id).removeAttribute('aria-invalid')
}

const isCard = () => form.elements.method.value === 'card'

function isRight() {
  const fields = Object.keys(checks).filter((id) => id === 'email' || isCard())
  for (const id of fields) mark(id, checks[id]())
  const wrong = fields.find((id) => byId(`${id}-error`).textContent !== '')
  if (wrong) byId(wrong).focus()
  return wrong === undefined
}

function keepFormat(id, format) {
  const input = byId(id)
  input.addEventListener('input', () => {
    // Behind the caret nothing may move, so that a digit in the middle can be corrected.
    const digitsBefore = input.value.slice(0, input.selectionStart).replace(/\D/g, '').length
    input.value = format(input.value.replace(/\D/g, ''))
    let caret = 0
    for (let seen = 0; caret < input.value.length && seen < digitsBefore; caret += 1) {
      if (/\d/.test(input.value[caret])) seen += 1
    }
    if (digitsBefore === input.value.replace(/\D/g, '').length) caret = input.value.length
    input.setSelectionRange(caret, caret)
  })
}

function prepareFields() {
  keepFormat('number', (digits) => spaced(digits.slice(0, lengthOf(digits))))
  byId('number').addEventListener('input', () => (byId('brand').textContent = brandOf(digitsOf('number'))))
  keepFormat('expiration', (digits) => {
    const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits
    return whole.length > 2 ? `${whole.slice(0, 2)} / ${whole.slice(2, 4)}` : whole
  })
  keepFormat('cvc', (digits) => digits.slice(0, 4))
  for (const id of Object.keys(checks)) {
    byId(id).addEventListener('input', () => mark(id, ''))
    byId(id).addEventListener('blur', ({ relatedTarget }) => {
      // A message that comes or goes would move the button away from under the pointer.
      if (relatedTarget !== byId('pay') && byId(id).value !== '') mark(id, checks[id]())
    })
  }
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const codes = 'AT AU BE BR CA CH CZ DE DK ES FI FR GB IE IN IT JP MX NL NO NZ PL PT SE SG US ZA'.split(' ')
  const options = codes.map((code) => new window.Option(names.of(code), code, code === 'US', code === 'US'))
  byId('country').append(...options.sort((one, other) => one.text.localeCompare(other.text)))
  for (const choice of form.elements.method) choice.addEventListener('change', showMethod)
}

function showMethod() {
  byId('card-fields').hidden = !isCard()
  byId('test-cards').hidden = !isCard()
  byId('bank-fields').hidden = isCard()
  byId('form-error').textContent = ''
}

function fillIn({ number, brand }) {
  const values = { number: spaced(number), expiration: '12 / 34', cvc: brand === 'amex' ? '1234' : '123' }
  for (const [id, value] of Object.entries(values)) {
    byId(id).value = value
    mark(id, '')
  }
  byId('brand').textContent = brandOf(number)
  if (byId('cardholder').value === '') byId('cardholder').value = 'Pat Payer'
  mark('cardholder', '')
  byId(byId('email').value === '' ? 'email' : 'pay').focus()
}

function show({ lineItems, amount, currency, email, methods, settleAfterMs, testCards }) {
  const total = money(amount, currency)
  byId('name').textContent = lineItems.length === 1 ? lineItems[0].description : 'Your order'
  byId('amount').textContent = total
  byId('pay').textContent = `Pay ${total}`
  byId('items').append(
    ...lineItems.map((item) => {
      const row = document.createElement('li')
      const count = item.quantity > 1 ? ` × ${item.quantity}` : ''
      row.append(spanOf(item.description + count), spanOf(money(item.amount, currency)))
      return row
    }),
  )
  if (email) {
    byId('email').value = email
    byId('email').readOnly = true
  }
  byId('methods').hidden = methods.length < 2
  form.elements.method.value = methods[0]
  byId('bank-hint').textContent =
    settleAfterMs === null
      ? 'The order is placed at once; the money is on its way until the sandbox is told how it ends.'
      : `The order is placed at once; the money takes ${Math.round(settleAfterMs / 1000)} seconds to arrive.`
  byId('cards').append(
    ...testCards.map((card) => {
      const row = document.createElement('li')
      const button = document.createElement('button')
      button.type = 'button'
      button.append(spanOf(spaced(card.number)), spanOf(card.label))
      button.addEventListener('click', () => fillIn(card))
      row.append(button)
      return row
    }),
  )
  byId('loading').hidden = true
  byId('checkout').hidden = false
  showMethod()
}

function spanOf(text) {
  const span = document.createElement('span')
  span.textContent = text
  return span
}

function close(title, text) {
  byId('loading').hidden = true
  byId('checkout').hidden = true
  byId('closed').hidden = false
  byId('closed-title').textContent = title
  byId('closed-text').textContent = text
  tell({ type: 'top' })
}

function payment() {
  const common = {
    method: form.elements.method.value,
    email: byId('email').value,
    name: byId('cardholder').value.trim() || null,
    country: byId('country').value,
  }
  if (!isCard()) return { ...common, arrives: byId('bank-outcome').value === 'arrives' }
  const { month, year } = expiration()
  return { ...common, number: digitsOf('number'), cvc: digitsOf('cvc'), expiryMonth: month, expiryYear: year }
}

/** How the customer ends the authentication; to leave the dialog is to fail it. */
function authenticated() {
  const dialog = byId('authentication')
  dialog.returnValue = 'fail'
  dialog.showModal()
  tell({ type: 'top' })
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'complete'), { once: true })
  })
}

for (const outcome of ['complete', 'fail']) {
  byId(outcome).addEventListener('click', () => byId('authentication').close(outcome))
}

async function pay(details) {
  const { result } = await ask('pay', payment())
  if (result === 'requires_action') await ask('authenticate', { succeeded: await authenticated() })
  close('Payment successful', 'Thank you. You can go on now.')
  tell({ type: 'complete', returnUrl: details.returnUrl, redirect: details.redirect })
}

function submitted(details) {
  return async (event) => {
    event.preventDefault()
    byId('form-error').textContent = ''
    if (!isRight()) return
    const button = byId('pay')
    const words = button.textContent
    button.disabled = true
    button.textContent = 'Processing…'
    try {
      await pay(details)
    } catch (error) {
      byId('form-error').textContent = error.message
      button.disabled = false
      button.textContent = words
      button.focus()
    }
  }
}

async function begin() {
  new ResizeObserver(() => tell({ type: 'height', height: document.documentElement.offsetHeight })).observe(
    document.documentElement,
  )
  prepareFields()
  try {
    const details = await ask('details')
    if (details.status === 'complete')
      return close('Already paid', 'This checkout is complete; nothing more is taken.')
    if (details.status === 'expired')
      return close('This checkout has expired', 'Go back and start a new one.')
    show(details)
    form.addEventListener('submit', submitted(details))
  } catch (error) {
    close('Something went wrong', error.message)
  }
}

await begin()
