// The mailbox page: lists mail and text messages, keeps itself fresh and shows one with its link and code.

const list = document.querySelector('#messages')
const reader = document.querySelector('#reader')
const summary = document.querySelector('#summary')
const filter = document.querySelector('#filter')
const row = document.querySelector('#row')
let chosen = null
let shown = ''

const clockTime = (iso) => new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

async function loadFrom(path) {
  const address = filter.value.trim()
  const query = address ? `?to=${encodeURIComponent(address)}` : ''
  const response = await fetch(`${path}${query}`)
  if (!response.ok) throw new Error(`The outbox answered ${response.status}`)
  return response.json()
}

async function load() {
  const [mails, texts] = await Promise.all([loadFrom('outbox'), loadFrom('sms')])
  const messages = [...mails, ...texts.map((text) => ({ ...text, subject: text.text, isText: true }))]
  return messages.sort((one, other) => other.created_at.localeCompare(one.created_at))
}

function rowOf(mail) {
  const item = row.content.cloneNode(true)
  const button = item.querySelector('button')
  item.querySelector('.subject').textContent = mail.subject
  item.querySelector('time').textContent = clockTime(mail.created_at)
  item.querySelector('time').dateTime = mail.created_at
  item.querySelector('.to').textContent = mail.to
  item.querySelector('.kind').textContent = mail.isText ? `${mail.channel} · ${mail.type}` : mail.type
  button.dataset.id = mail.id
  if (mail.id === chosen) button.setAttribute('aria-current', 'true')
  button.addEventListener('click', () => read(mail))
  return item
}

function fact(name, value) {
  const [term, detail] = [document.createElement('dt'), document.createElement('dd')]
  term.textContent = name
  detail.textContent = value
  return [term, detail]
}

function read(mail) {
  chosen = mail.id
  const [title, facts] = ['h2', 'dl'].map((name) => document.createElement(name))
  title.textContent = mail.subject
  const known = { From: mail.from, To: mail.to, Code: mail.token }
  facts.append(...Object.entries(known).filter(([, value]) => value).flatMap(([name, value]) => fact(name, value)))
  reader.replaceChildren(title, facts, ...linkOf(mail), ...frameOf(mail))
  refresh()
}

function frameOf(mail) {
  if (mail.isText) return []
  const frame = document.createElement('iframe')
  frame.title = `The message “${mail.subject}”`
  frame.src = `mailbox/${mail.id}`
  return [frame]
}

function linkOf(mail) {
  if (!mail.link) return []
  const link = document.createElement('a')
  link.className = 'open'
  link.href = mail.link
  link.textContent = 'Follow the link in this mail'
  return [link]
}

// Only where something is new: a row that is made anew loses the focus, which comes back to the same message.
function show(mails) {
  const now = JSON.stringify([chosen, mails])
  if (now === shown) return
  shown = now
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.id : null
  list.replaceChildren(...mails.map(rowOf))
  if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus()
}

async function refresh() {
  try {
    const mails = await load()
    summary.textContent = mails.length === 1 ? '1 message' : `${mails.length || 'No'} messages`
    show(mails)
  } catch (error) {
    summary.textContent = `${error.message}. Trying again…`
  }
}

filter.addEventListener('input', refresh)
document.querySelector('#clear').addEventListener('click', async () => {
  await Promise.all(['outbox', 'sms'].map((path) => fetch(path, { method: 'DELETE' })))
  await refresh()
})
setInterval(refresh, 2000)
refresh()
