/** As much of a provider as a tenant's configuration needs: its discovery document, and the keys of its tokens. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JWK } from 'jose'

export interface Discovery {
  issuer: string
  /** Answers requests for the discovery document when `until` has resolved. @returns when there is one */
  hold(until: Promise<void>): Promise<void>
  close(): void
}

export async function startDiscovery(keys: readonly JWK[] = []): Promise<Discovery> {
  let issuer = ''
  let [held, asked] = [Promise.resolve(), Promise.withResolvers<void>()]
  const server = createServer(async (request, response) => {
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    }
    const answer = request.url === '/keys' ? { keys } : document
    if (answer === document) {
      asked.resolve()
      await held
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  return {
    issuer,
    hold: (until) => {
      ;[held, asked] = [until, Promise.withResolvers<void>()]
      return asked.promise
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
