/** PostGraphile as a library, as its documents recommend for production, on the HTTP server of Node.js. */
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const { DATABASE_URL: connectionString, PORT } = process.env

const { createServ } = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['public'] })],
  grafast: { explain: false },
  grafserv: { graphiql: false, watch: false },
})
const serv = createServ(grafserv)
await serv.ready()
const answer = serv.createHandler()

createServer((request, response) => {
  if (request.url === '/ready') response.end('ready')
  else answer(request, response)
}).listen(Number(PORT), 'localhost')

process.once('SIGTERM', () => process.exit(0))
