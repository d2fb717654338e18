/** Sends operations to the GraphQL endpoint: by POST, and a subscription by a WebSocket of its own. */
import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { createClient } from 'graphql-ws'

const url = new URL('../graphql', document.baseURI)
const socketUrl = new URL(url)
socketUrl.protocol = url.protocol.replace('http', 'ws')

const post = createGraphiQLFetcher({ url: url.href, enableIncrementalDelivery: false })

/** The access token of the user who has signed in on the page. @type {string | null} */
let token = null

/** @param {string | null} accessToken sent with each operation whose headers name no other */
export function useToken(accessToken) {
  token = accessToken
}

/** @type {import('@graphiql/toolkit').Fetcher} */
export const ask = (parameters, options) => {
  const signedIn = token === null ? {} : { authorization: `Bearer ${token}` }
  const headers = { ...signedIn, ...filledIn(options?.headers ?? {}) }
  return isSubscription(parameters, options) ? subscribe(parameters, headers) : post(parameters, { headers })
}

/** @param {any} answer @returns the error message of a reply without data, else `null` */
export function refusalOf(answer) {
  if (typeof answer?.data === 'object' && answer.data !== null) return null
  return String(answer?.errors?.[0]?.message ?? answer?.message ?? 'No answer.')
}

/** @returns the headers without unchanged examples @param {Record<string, unknown>} headers */
function filledIn(headers) {
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()])
  return Object.fromEntries(texts.filter(([, text]) => text !== '' && text !== 'Bearer'))
}

/** @type {(...asked: Parameters<import('@graphiql/toolkit').Fetcher>) => boolean} */
function isSubscription({ operationName }, options) {
  const definitions = options?.documentAST?.definitions ?? []
  return definitions.some(
    (one) =>
      one.kind === 'OperationDefinition' &&
      one.operation === 'subscription' &&
      one.name?.value === (operationName ?? undefined),
  )
}

/**
 * A browser sends no headers with a WebSocket, so the first message has them. A connection that ends is not opened
 * again: the page shows why it ended, and the user starts the subscription again.
 * @param {import('@graphiql/toolkit').FetcherParams} parameters
 * @param {Record<string, string>} headers
 * @returns {any} an observable, of which GraphiQL uses only `subscribe` with a sink
 */
function subscribe(parameters, { authorization, 'x-tenant-id': tenant }) {
  const client = createClient({
    url: socketUrl.href,
    connectionParams: { authorization, tenant },
    retryAttempts: 0,
  })
  return {
    /** @param {import('graphql-ws').Sink} sink */
    subscribe: (sink) => ({
      unsubscribe: client.subscribe(parameters, {
        ...sink,
        error: (cause) => sink.error(cause instanceof CloseEvent ? endOf(cause) : cause),
      }),
    }),
  }
}

/** @param {CloseEvent} event */
function endOf({ code, reason }) {
  return { message: `The connection was closed: ${reason === '' ? 'no reason given' : reason} (${code}).` }
}
