/** As much of a provider as a tenant's configuration needs: its discovery document, and the keys of its tokens. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JWK } from 'jose'

export interface Discovery {
  issuer: string
  close(): void
}

export async function startDiscovery(keys: readonly JWK[] = []): Promise<Discovery> {
  const server = createServer((request, response) => {
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    }
    const answer = request.url === '/keys' ? { keys } : document
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  return {
    issuer,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
