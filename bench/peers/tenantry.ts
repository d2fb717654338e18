/** Tenantry on PostgreSQL with its default settings, as the administrator of a tenant. */

import { startServer } from '../process.ts'
import { initialize, makeFolder, removeFolder } from '../service.ts'
import { prepareWorks } from '../speed/works.ts'
import { type Contender, categories, onePage, onePageJoined, productMark } from './contender.ts'

export async function startTenantry(databaseUrl: string): Promise<Contender> {
  const folder = makeFolder()
  const settings = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' }
  const command = ['bin/tenantry.js', 'serve']
  const server = await startServer({ command, folder, settings, readyPath: '/health/ready' })
  const { token } = await initialize(server.url)
  const { get, list, graphql, create } = await prepareWorks(server, token, categories)
  const one = { text: productMark, times: 1 }
  const works = {
    get: { ...get, expectedText: one },
    list: { ...list, expectedText: { text: productMark, ...onePage } },
    graphql: { ...graphql, expectedText: onePageJoined },
    create: { ...create, expectedText: one },
  }
  const stop = async () => {
    await server.stop()
    removeFolder(folder)
  }
  return { name: 'Tenantry', server, works, stop }
}
