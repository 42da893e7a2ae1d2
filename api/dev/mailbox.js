// The mailbox page: lists the outbox, keeps itself fresh and shows one message with its link and code.

const list = document.querySelector('#messages')
const reader = document.querySelector('#reader')
const summary = document.querySelector('#summary')
const filter = document.querySelector('#filter')
const row = document.querySelector('#row')
let chosen = null

const clockTime = (iso) => new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

async function load() {
  const address = filter.value.trim()
  const query = address ? `?to=${encodeURIComponent(address)}` : ''
  const response = await fetch(`/_dev/outbox${query}`)
  if (!response.ok) throw new Error(`The outbox answered ${response.status}`)
  return response.json()
}

function rowOf(mail) {
  const item = row.content.cloneNode(true)
  const button = item.querySelector('button')
  item.querySelector('.subject').textContent = mail.subject
  item.querySelector('time').textContent = clockTime(mail.created_at)
  item.querySelector('time').dateTime = mail.created_at
  item.querySelector('.to').textContent = mail.to
  item.querySelector('.kind').textContent = mail.type
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
  const [title, facts, frame] = ['h2', 'dl', 'iframe'].map((name) => document.createElement(name))
  title.textContent = mail.subject
  const known = { From: mail.from, To: mail.to, Code: mail.token }
  facts.append(...Object.entries(known).filter(([, value]) => value).flatMap(([name, value]) => fact(name, value)))
  frame.title = `The message “${mail.subject}”`
  frame.src = `/_dev/mailbox/${mail.id}`
  reader.replaceChildren(title, facts, ...linkOf(mail), frame)
  refresh()
}

function linkOf(mail) {
  if (!mail.link) return []
  const link = document.createElement('a')
  link.className = 'open'
  link.href = mail.link
  link.textContent = 'Follow the link in this mail'
  return [link]
}

async function refresh() {
  try {
    const mails = await load()
    summary.textContent = mails.length === 1 ? '1 message' : `${mails.length || 'No'} messages`
    list.replaceChildren(...mails.map(rowOf))
  } catch (error) {
    summary.textContent = `${error.message}. Trying again…`
  }
}

filter.addEventListener('input', refresh)
document.querySelector('#clear').addEventListener('click', async () => {
  await fetch('/_dev/outbox', { method: 'DELETE' })
  await refresh()
})
setInterval(refresh, 2000)
refresh()
