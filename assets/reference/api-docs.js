/** The API reference: all operations by tag, a search for words, and forms that send requests. */
import { loadDocument, operationsOf } from './document.js'
import { byId, element } from './dom.js'
import { describeOperation } from './operation.js'
import { prose } from './prose.js'
import { signInForm } from './sign-in.js'

/** @typedef {import('./document.js').Operation} Operation */

const main = byId('operations', HTMLElement)
try {
  show(await loadDocument('swagger/v1/swagger.json'))
} catch (error) {
  main.replaceChildren(element('p', { class: 'bad' }, String(error)))
}

/** @param {import('./document.js').Json} api */
function show(api) {
  byId('title', HTMLElement).textContent = `${api['info'].title} API ${api['info'].version}`
  byId('introduction', HTMLElement).append(...prose(api['info'].description))
  const token = byId('token', HTMLInputElement)
  const tenant = byId('tenant', HTMLInputElement)
  const useToken = (/** @type {string | null} */ signedIn) => {
    token.value = signedIn ?? ''
  }
  byId('sign-in', HTMLElement).append(signInForm('', useToken))
  const caller = () => ({ token: token.value.trim(), tenant: tenant.value.trim() })
  const operations = operationsOf(api)
  const byTag = Map.groupBy(operations, (operation) => operation.tag)
  for (const { name: tag } of api['tags']) {
    const tagged = byTag.get(tag) ?? []
    const sections = tagged.map((operation) => describeOperation(api, operation, caller))
    main.append(element('section', {}, element('h2', {}, tag), ...sections))
    const links = tagged.map((operation) => element('li', {}, linkTo(operation)))
    byId('contents', HTMLElement).append(element('h3', {}, tag), element('ul', {}, ...links))
  }
  const filter = byId('filter', HTMLInputElement)
  filter.addEventListener('input', () => find(operations, filter.value))
  addEventListener('hashchange', openLinked)
  openLinked()
}

/** @param {Operation} operation */
function linkTo({ id, details }) {
  return element('a', { href: `#${id}` }, details['summary'])
}

/** Opens the operation of the address's fragment. */
function openLinked() {
  const linked = document.getElementById(location.hash.slice(1))
  if (!(linked instanceof HTMLDetailsElement)) return
  linked.open = true
  linked.scrollIntoView()
}

/**
 * Hides the operations that do not contain the words.
 * @param {Operation[]} operations
 * @param {string} words
 */
function find(operations, words) {
  const wanted = words.toLowerCase().split(/\s+/)
  for (const { id, method, path, tag, details } of operations) {
    const text = [id, method, path, tag, details['summary']].join(' ').toLowerCase()
    const hidden = !wanted.every((word) => text.includes(word))
    byId(id, HTMLElement).hidden = hidden
    const link = document.querySelector(`nav a[href="#${id}"]`)
    if (link?.parentElement) link.parentElement.hidden = hidden
  }
}
