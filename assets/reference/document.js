/** Reads the OpenAPI document for the pages of the reference. */

/**
 * @typedef {Record<string, any>} Json
 * @typedef {{ id: string, method: string, path: string, tag: string, details: Json, parameters: Json[] }} Operation
 */

const methods = ['get', 'post', 'put', 'patch', 'delete']

/**
 * Loads the document. Its server becomes the origin of the page, because a browser blocks requests to another one.
 * @param {string} address relative to the page
 * @returns {Promise<Json>}
 */
export async function loadDocument(address) {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The document cannot be read: ${response.status}`)
  const document = await response.json()
  return { ...document, servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }] }
}

/**
 * @param {Json} document
 * @returns {Operation[]}
 */
export function operationsOf(document) {
  return Object.entries(document['paths']).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const details = item[method]
      if (details === undefined) return []
      const own = [...(item.parameters ?? []), ...(details.parameters ?? [])]
      const parameters = own.map((parameter) => resolve(document, parameter))
      return [{ id: details.operationId, method, path, tag: details.tags[0], details, parameters }]
    }),
  )
}

/**
 * Resolves a `$ref`; a value without one is returned as it is.
 * @param {Json} document
 * @param {Json} value
 * @returns {Json}
 */
export function resolve(document, value) {
  if (typeof value['$ref'] !== 'string') return value
  const names = value['$ref'].split('/').slice(1)
  return names.reduce((place, name) => place[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}
