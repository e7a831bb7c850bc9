/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * @param {string} path
 * @param {object} body
 */
const post = (path, body) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-toolglot': '1' },
    body: JSON.stringify(body),
  })

/** @param {'logged-in' | 'logged-out'} section @param {string} status */
function show(section, status) {
  element('logged-in').hidden = section !== 'logged-in'
  element('logged-out').hidden = section !== 'logged-out'
  element('status').textContent = status
}

async function logIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get('login')
  if (!code) return true
  // It works once, and nobody should find it in the history.
  history.replaceState(null, '', '/')
  return (await post('/api/login', { code })).ok
}

async function showModels() {
  const response = await fetch('/v1/models')
  if (response.status === 401) return false
  show('logged-in', 'You are logged in.')
  element('base').textContent = `${location.origin}/v1`
  const { data = [] } = response.ok ? await response.json() : {}
  // Names come from other servers: they are only ever shown as text.
  const items = data.map((/** @type {{ id: string }} */ { id }) => {
    const item = document.createElement('li')
    item.textContent = String(id)
    return item
  })
  element('models').replaceChildren(...items)
  const none = response.ok ? 'There are no models.' : 'The models cannot be listed. See the log.'
  element('no-models').textContent = items.length === 0 ? none : ''
  return true
}

async function start() {
  try {
    const isAccepted = await logIn()
    if (await showModels()) return
    show(
      'logged-out',
      isAccepted ? 'You are not logged in.' : 'This link has expired or was used before.',
    )
  } catch {
    show('logged-out', 'The server does not answer.')
  }
}

async function logOut() {
  await post('/api/logout', {}).catch(() => {})
  show('logged-out', 'You are logged out.')
}

element('log-out').addEventListener('click', () => void logOut())
// A link that is opened while the page is: only its fragment changes.
window.addEventListener('hashchange', () => void start())
await start()
