/** Asks the gateway: by POST, and for a subscription over a WebSocket that lasts as long as it does. */
import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { createClient } from 'graphql-ws'

const url = new URL('../graphql', document.baseURI)
const socketUrl = new URL(url)
socketUrl.protocol = url.protocol.replace('http', 'ws')

const post = createGraphiQLFetcher({ url: url.href, enableIncrementalDelivery: false })

/** Of who has signed in on the page. @type {string | null} */
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

/** @param {any} answer @returns the words of the gateway where it gives no data, else `null` */
export function refusalOf(answer) {
  if (typeof answer?.data === 'object' && answer.data !== null) return null
  return String(answer?.errors?.[0]?.message ?? answer?.message ?? 'No answer.')
}

/** Without the examples that nobody has filled in. @param {Record<string, unknown>} headers */
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
 * A browser sends no headers with a WebSocket, so the first message has them. Nothing is tried again: whoever looks
 * at the page rather sees why it ended, and starts it again.
 * @param {import('@graphiql/toolkit').FetcherParams} parameters
 * @param {Record<string, string>} headers
 * @returns {any} an observable in the one form of three that GraphiQL uses
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
