/** Shows an operation: its parameters, its replies, and a form to try it. */
import { resolve } from './document.js'
import { element } from './dom.js'
import { prose } from './prose.js'
import { requestForm } from './request.js'
import { describeSchema } from './schema.js'

/**
 * @typedef {import('./document.js').Json} Json
 * @typedef {import('./document.js').Operation} Operation
 */

/**
 * @param {Json} document
 * @param {Operation} operation
 * @param {() => import('./request.js').Caller} caller
 * @returns {HTMLDetailsElement}
 */
export function describeOperation(document, operation, caller) {
  const heading = element(
    'summary',
    {},
    element('span', { class: `method ${operation.method}` }, operation.method.toUpperCase()),
    element('code', {}, operation.path),
    element('span', {}, operation.details['summary']),
  )
  const section = element('details', { id: operation.id, class: 'operation' }, heading)
  const fill = () => section.append(...contents(document, operation, caller))
  section.addEventListener('toggle', fill, { once: true })
  return section
}

/**
 * @param {Json} document
 * @param {Operation} operation
 * @param {() => import('./request.js').Caller} caller
 */
function contents(document, operation, caller) {
  const { details } = operation
  const replies = Object.entries(details['responses']).map(([status, reply]) =>
    describeReply(document, status, reply),
  )
  return [
    ...prose(details['description']),
    element('p', {}, element('small', {}, tokenRule(document, details))),
    ...(details['requestBody'] === undefined ? [] : describeBody(document, details['requestBody'])),
    element('h4', {}, 'Try it'),
    requestForm(document, operation, caller),
    element('h4', {}, 'Replies'),
    element('ul', { class: 'replies' }, ...replies),
  ]
}

/**
 * @param {Json} document
 * @param {Json} details
 */
function tokenRule(document, details) {
  /** @type {Json[]} */
  const choices = details['security'] ?? document['security']
  if (choices.length === 0) return 'Takes no token.'
  return choices.some((choice) => Object.keys(choice).length === 0)
    ? 'Takes a token, needs none.'
    : 'Needs a token.'
}

/**
 * @param {Json} document
 * @param {Json} body
 */
function describeBody(document, body) {
  // A body is JSON, or for some operations a file of any type.
  const [content] = Object.values(resolve(document, body)['content'])
  return [element('h4', {}, 'Body'), describeSchema(document, content.schema)]
}

/**
 * @param {Json} document
 * @param {string} status
 * @param {Json} reference
 */
function describeReply(document, status, reference) {
  const reply = resolve(document, reference)
  const line = [element('strong', {}, status), ` ${reply['description']}`]
  const headers = Object.keys(reply['headers'] ?? {}).join(', ')
  const schema = reply['content']?.['application/json']?.schema
  const parts = [
    element('p', {}, element('small', {}, `Headers: ${headers}`)),
    ...(schema === undefined ? [] : [describeSchema(document, schema)]),
  ]
  return element('li', {}, element('details', {}, element('summary', {}, ...line), ...parts))
}
