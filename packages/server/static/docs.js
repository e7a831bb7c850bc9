/**
 * @typedef {import('../src/api/openapi.ts').OpenApiDocument} Document
 * @typedef {import('../src/api/openapi.ts').OpenApiOperation} Operation
 * @typedef {import('../src/api/openapi.ts').OpenApiContent} Content
 * @typedef {import('../src/api/openapi.ts').JsonSchema} Schema
 */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * Creates an element. Children are elements and text: no received text is ever parsed as markup.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const key in attributes) made.setAttribute(key, attributes[key] ?? '')
  made.append(...children)
  return made
}

/**
 * Text in which backticks mark code.
 *
 * @param {string} text
 */
function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part))
}

/** @param {string} text */
function paragraphs(text) {
  return text.split(/\n{2,}/).map((each) => element('p', {}, ...prose(each)))
}

/**
 * The name of the referenced schema.
 *
 * @param {Schema} schema
 */
const nameIn = ({ $ref }) => (typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : undefined)

/**
 * A schema as a short type, such as `string[]`.
 *
 * @param {Schema} schema
 * @returns {(Node | string)[]}
 */
function typeOf(schema) {
  const name = nameIn(schema)
  if (name !== undefined) return [element('a', { href: `#schema-${name}` }, name)]
  if ('const' in schema) return [JSON.stringify(schema['const'])]
  if (Array.isArray(schema['enum'])) {
    return [schema['enum'].map((each) => JSON.stringify(each)).join(' | ')]
  }
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) {
    // The fields already show how the objects differ.
    const others = options.filter((each) => each['type'] !== 'object')
    const shown = others.length < options.length ? [...others, { type: 'object' }] : options
    return shown.flatMap((each, index) => [...(index > 0 ? [' | '] : []), ...typeOf(each)])
  }
  const { type } = schema
  if (type === 'array')
    return ['list of ', ...typeOf(/** @type {Schema} */ (schema['items'] ?? {}))]
  return [Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'anything']
}

/**
 * The limits of a schema, as text.
 *
 * @param {Schema} schema
 */
function limitsOf(schema) {
  /** @type {[string, (value: string) => string][]} */
  const words = [
    ['minimum', (value) => `at least ${value}`],
    ['maximum', (value) => `at most ${value}`],
    ['maxLength', (value) => `at most ${value} characters`],
    ['maxItems', (value) => `at most ${value}`],
    ['default', (value) => `default: ${value}`],
  ]
  return words
    .filter(([key]) => key in schema)
    .map(([key, say]) => say(written(schema[key])))
    .join(', ')
}

/** @param {unknown} value */
const written = (value) =>
  typeof value === 'number' ? value.toLocaleString('en') : JSON.stringify(value)

/**
 * A field: its name, its type and its description.
 *
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} isRequired
 * @param {string} [about]
 */
function field(name, schema, isRequired, about) {
  const description = about ?? schema['description']
  const limits = limitsOf(schema)
  const inner = fieldsOf(inside(schema))
  return [
    element(
      'dt',
      {},
      element('code', {}, name),
      ' ',
      element('span', { class: 'type' }, ...typeOf(schema), isRequired ? '' : ', optional'),
    ),
    element(
      'dd',
      {},
      ...(typeof description === 'string' ? prose(description) : []),
      ...(limits === '' ? [] : [` (${limits})`]),
      ...inner,
    ),
  ]
}

/**
 * The schema of a list's items, or the schema itself.
 *
 * @param {Schema} schema
 * @returns {Schema}
 */
function inside(schema) {
  const items = schema['type'] === 'array' ? schema['items'] : undefined
  return typeof items === 'object' && items !== null
    ? inside(/** @type {Schema} */ (items))
    : schema
}

/**
 * The fields of an object, or of its alternatives.
 *
 * @param {Schema} schema
 * @returns {Node[]}
 */
function fieldsOf(schema) {
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) {
    return options.flatMap((each) => [...titleOf(each), ...fieldsOf(inside(each))])
  }
  const properties = /** @type {Record<string, Schema>} */ (schema['properties'] ?? {})
  const required = /** @type {string[]} */ (schema['required'] ?? [])
  const fields = Object.entries(properties).flatMap(([name, each]) =>
    field(name, each, required.includes(name)),
  )
  return fields.length === 0 ? [] : [element('dl', { class: 'fields' }, ...fields)]
}

/**
 * True for an object or a choice of objects.
 *
 * @param {Schema} schema
 * @returns {boolean}
 */
function isObject({ type, anyOf, oneOf }) {
  const options = anyOf ?? oneOf
  return Array.isArray(options) ? options.every(isObject) : type === 'object'
}

/**
 * The title of one alternative.
 *
 * @param {Schema} schema
 * @returns {Node[]}
 */
function titleOf({ title, description }) {
  if (typeof title !== 'string') return []
  const about = typeof description === 'string' ? [': ', ...prose(description)] : []
  return [element('p', { class: 'variant' }, element('code', {}, title), ...about)]
}

/** @param {Content} content */
function contentOf(content) {
  return Object.entries(content).flatMap(([type, { schema }]) => {
    const each = /** @type {Schema | undefined} */ (schema['contentSchema'])
    const shown = each ?? schema
    const fields = fieldsOf(inside(shown))
    const parts = [
      ...(type.endsWith('json') ? [] : [type, each ? ' of ' : '']),
      // The fields already show that this is an object.
      ...(isObject(shown) && fields.length > 0 ? [] : typeOf(shown)),
    ]
    return [...(parts.length > 0 ? [element('p', { class: 'type' }, ...parts)] : []), ...fields]
  })
}

/**
 * A small valid value of a schema, with only the required fields.
 *
 * @param {Schema} schema
 * @param {Document} api
 * @returns {unknown}
 */
function sampleOf(schema, api, depth = 0) {
  const name = nameIn(schema)
  if (depth > 5) return null
  if (name !== undefined) return sampleOf(api.components.schemas[name] ?? {}, api, depth + 1)
  for (const key of ['const', 'default']) if (key in schema) return schema[key]
  for (const key of ['examples', 'enum']) if (Array.isArray(schema[key])) return schema[key][0]
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) return sampleOf(options[0], api, depth + 1)
  const { type } = schema
  if (type === 'object') {
    const properties = /** @type {Record<string, Schema>} */ (schema['properties'] ?? {})
    const required = /** @type {string[]} */ (schema['required'] ?? [])
    return Object.fromEntries(
      required.map((key) => [key, sampleOf(properties[key] ?? {}, api, depth + 1)]),
    )
  }
  if (type === 'array') return []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
  return type === 'string' ? '…' : null
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Operation} operation
 * @param {Document} api
 */
function curlOf(method, path, operation, api) {
  const { parameters = [], requestBody, responses, security } = operation
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name }) => `${name}=${name.toUpperCase()}`)
    .join('&')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(name).toUpperCase())
  const isStream = Object.values(responses).some(
    (each) => 'content' in each && each.content && 'text/event-stream' in each.content,
  )
  const hasBody = ['post', 'put', 'patch'].includes(method)
  const schema = requestBody?.content['application/json']?.schema
  const body = JSON.stringify(schema ? sampleOf(schema, api) : {})
  const words = [
    // On the command line, other users of the machine could read the token.
    `${security ? '' : 'echo "Authorization: Bearer $(toolglot token)" | '}curl${security ? '' : ' -H @-'}`,
    ...(isStream ? ['-N'] : []),
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    `'${location.origin}${filled}${query && `?${query}`}'`,
    ...(hasBody
      ? ["-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", "'\\''")}'`]
      : []),
  ]
  return words.join(' \\\n  ')
}

/** @param {string} text */
function copyable(text) {
  const button = element('button', { type: 'button' }, 'Copy')
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Select it'),
    )
  })
  return element('div', { class: 'curl' }, element('pre', { tabindex: '0' }, text), button)
}

/**
 * @param {string} path
 * @param {string} method
 * @param {Operation} operation
 * @param {Document} api
 */
function operationOf(path, method, operation, api) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const segments = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{')
        ? element('span', { class: 'parameter' }, `:${part.slice(1, -1)}`)
        : part,
    )
  const line = element(
    'summary',
    {},
    element('span', { class: 'method' }, method.toUpperCase()),
    element('span', { class: 'path' }, ...segments),
    element('span', { class: 'line' }, ...prose(summary)),
  )
  const answers = Object.entries(responses).flatMap(([status, answer]) => {
    if ('$ref' in answer) return []
    return [
      element('h3', {}, status === 'default' ? 'Any error' : `Response ${status}`),
      element('p', {}, ...prose(answer.description)),
      ...contentOf(answer.content ?? {}),
    ]
  })
  const inside = element(
    'div',
    { class: 'inside' },
    ...(description === undefined ? [] : paragraphs(description)),
    ...(parameters.length === 0
      ? []
      : [
          element('h3', {}, 'Parameters'),
          element(
            'dl',
            { class: 'fields' },
            ...parameters.flatMap(({ name, schema, required, description: about, in: place }) =>
              field(name, schema, required, about ?? (place === 'path' ? 'In the path.' : '')),
            ),
          ),
        ]),
    ...(requestBody ? [element('h3', {}, 'Body'), ...contentOf(requestBody.content)] : []),
    ...answers,
    element('h3', {}, 'Try it'),
    copyable(curlOf(method, path, operation, api)),
  )
  return element('details', { id: operationId }, line, inside)
}

/** @param {Document} api */
function show(api) {
  byId('about').replaceChildren(...paragraphs(api.info.description))
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = api.tags.map(({ name }) =>
    element(
      'section',
      { id: name, 'aria-labelledby': `${name}-title` },
      element('h2', { id: `${name}-title` }, name),
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => operationOf(path, method, operation, api)),
    ),
  )
  const schemas = Object.entries(api.components.schemas).map(([name, schema]) =>
    element(
      'details',
      { id: `schema-${name}` },
      element('summary', {}, element('span', { class: 'schema' }, name)),
      element(
        'div',
        { class: 'inside' },
        ...(typeof schema['description'] === 'string' ? paragraphs(schema['description']) : []),
        ...contentOf({ 'application/json': { schema } }),
      ),
    ),
  )
  sections.push(element('section', { id: 'schemas' }, element('h2', {}, 'schemas'), ...schemas))
  byId('operations').replaceChildren(...sections)
  byId('subjects').replaceChildren(
    ...[...api.tags.map(({ name }) => name), 'schemas'].map((name) =>
      element('a', { href: `#${name}` }, name),
    ),
  )
  byId('status').textContent = `Version ${api.info.version}, ${operations.length} operations`
  byId('api').hidden = false
}

function find() {
  const words = /** @type {HTMLInputElement} */ (byId('search')).value.toLowerCase().split(/\s+/)
  let count = 0
  for (const section of document.querySelectorAll('#operations section')) {
    let isEmpty = true
    for (const each of section.querySelectorAll('details')) {
      const text = (each.textContent ?? '').toLowerCase()
      each.hidden = !words.every((word) => text.includes(word))
      if (each.hidden) continue
      isEmpty = false
      count += 1
    }
    section.toggleAttribute('hidden', isEmpty)
  }
  byId('found').textContent = words.join('') === '' ? '' : `${count} found`
}

/** Opens the operation named in the address. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView()
}

async function start() {
  try {
    const response = await fetch('/api/openapi.json')
    if (response.status === 401) {
      byId('status').textContent = 'You are not logged in.'
      byId('logged-out').hidden = false
      return
    }
    if (!response.ok) throw new Error(`status ${response.status}`)
    show(await response.json())
    openNamed()
  } catch {
    byId('status').textContent = 'The description could not be loaded. Is the server running?'
  }
}

byId('search').addEventListener('input', find)
window.addEventListener('hashchange', openNamed)
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  byId('search').focus()
})
await start()
