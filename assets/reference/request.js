/** The form that sends a request and shows the reply. */
import { resolve } from './document.js'
import { element } from './dom.js'
import { inline } from './prose.js'

/**
 * @typedef {import('./document.js').Json} Json
 * @typedef {import('./document.js').Operation} Operation
 * @typedef {{ token: string, tenant: string }} Caller
 * @typedef {string | File | null} Body
 * @typedef {{ method: string, url: string, headers: Record<string, string>, body: Body }} Request
 * @typedef {{ parameter: Json, input: HTMLInputElement }} Field
 */

/** A longer body is cut, because a browser takes seconds to lay out megabytes of text. */
const shownCharacters = 200_000

/**
 * @param {Json} document
 * @param {Operation} operation
 * @param {() => Caller} caller
 * @returns {HTMLElement}
 */
export function requestForm(document, operation, caller) {
  // The tenant is not asked here: the page has one field for it above all operations.
  const offered = operation.parameters.filter(({ name }) => name !== 'X-Tenant-Id' && name !== 'tenant')
  const fields = offered.map((parameter) => ({ parameter, input: inputFor(parameter) }))
  const body = bodyEditor(document, operation)
  const result = element('div', { class: 'result', 'aria-live': 'polite' })
  const form = element(
    'form',
    {},
    ...fields.map(({ parameter, input }) => labelled(parameter, input)),
    ...(body === null ? [] : [element('label', {}, 'Body', body)]),
    element('button', { type: 'submit' }, 'Send'),
    result,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const request = buildRequest(document, operation, fields, bodyIn(body), caller())
    result.replaceChildren(element('pre', { class: 'curl' }, toCurl(request)), await send(request))
  })
  return form
}

/** @param {Json} parameter */
function inputFor(parameter) {
  const [example] = parameter['schema'].examples ?? []
  const hint = example === undefined ? {} : { placeholder: String(example) }
  return element('input', { name: parameter['name'], required: parameter['required'] === true, ...hint })
}

/**
 * @param {Json} parameter
 * @param {HTMLInputElement} input
 */
function labelled(parameter, input) {
  const about = element('small', {}, ` ${parameter['in']} `, ...inline(parameter['description'] ?? ''))
  return element('label', {}, element('span', {}, element('code', {}, parameter['name']), about), input)
}

/**
 * Makes the input for the body: a text of JSON, or a file where the body is not JSON.
 * @param {Json} document
 * @param {Operation} operation
 */
function bodyEditor(document, { details }) {
  if (details['requestBody'] === undefined) return null
  const json = resolve(document, details['requestBody'])['content']['application/json']
  if (json === undefined) return element('input', { type: 'file' })
  const text = JSON.stringify(json.example, null, 2)
  return element('textarea', { rows: String(text.split('\n').length + 1), spellcheck: 'false' }, text)
}

/**
 * @param {HTMLTextAreaElement | HTMLInputElement | null} editor
 * @returns {Body} `null` for none
 */
function bodyIn(editor) {
  if (editor instanceof HTMLInputElement) return editor.files?.[0] ?? null
  return editor === null || editor.value === '' ? null : editor.value
}

/**
 * @param {Json} document
 * @param {Operation} operation
 * @param {Field[]} fields
 * @param {Body} body
 * @param {Caller} caller
 * @returns {Request}
 */
function buildRequest(document, operation, fields, body, caller) {
  const filled = fields.map(({ parameter, input }) => ({
    name: parameter['name'],
    in: parameter['in'],
    value: input.value,
  }))
  const placed = (/** @type {string} */ place) =>
    filled.filter((each) => each.in === place && each.value !== '')
  const path = placed('path').reduce(
    (address, { name, value }) => address.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path,
  )
  const query = String(new URLSearchParams(placed('query').map(({ name, value }) => [name, value])))
  /** @type {Record<string, string>} */
  const headers = Object.fromEntries(placed('header').map(({ name, value }) => [name, value]))
  const security = operation.details['security'] ?? document['security']
  if (caller.token !== '' && security.length > 0) headers['Authorization'] = `Bearer ${caller.token}`
  if (caller.tenant !== '') headers['X-Tenant-Id'] = caller.tenant
  if (body !== null) headers['Content-Type'] = typeof body === 'string' ? 'application/json' : body.type
  return {
    method: operation.method.toUpperCase(),
    url: `${document['servers'][0].url}${path}${query === '' ? '' : `?${query}`}`,
    headers,
    body,
  }
}

/**
 * @param {Request} request
 * @returns {Promise<HTMLElement>}
 */
async function send({ method, url, headers, body }) {
  const began = performance.now()
  try {
    const response = await fetch(url, { method, headers, body, cache: 'no-store', credentials: 'omit' })
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - began)
    return element(
      'div',
      {},
      element(
        'p',
        { class: response.ok ? 'good' : 'bad' },
        `${response.status} ${response.statusText}, ${milliseconds} ms`,
      ),
      element('pre', {}, [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
      element('pre', {}, readable(text).slice(0, shownCharacters)),
    )
  } catch (error) {
    return element('p', { class: 'bad' }, `No reply: ${error instanceof Error ? error.message : error}`)
  }
}

/** @param {string} text */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // not JSON: shown as it came
  }
}

/** @param {Request} request */
function toCurl({ method, url, headers, body }) {
  const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`
  const parts = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  if (typeof body === 'string') parts.push(`--data ${quote(body)}`)
  else if (body !== null) parts.push(`--data-binary ${quote(`@${body.name}`)}`)
  return [`curl -X ${method} ${quote(url)}`, ...parts].join(' \\\n  ')
}
