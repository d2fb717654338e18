/** Payload: an application of Next.js with REST and GraphQL over collections. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadRequest } from '../load/job.ts'
import type { Server } from '../process.ts'
import type { Side } from '../row/turns.ts'
import { pageRows, product, rows, variants, type WorkName } from '../speed/works.ts'
import { type Contender, onePage, onePageJoined, type Peer, post, sideOf, startPeer } from './contender.ts'
import { categoryRows, execute, productRows } from './database.ts'
import { once, peersFolder, versionOf } from './packages.ts'

const application = join(peersFolder, 'payload')
const next = 'node_modules/next/dist/bin/next'
const products = '/api/products'
const headers = { accept: 'application/json' }
const joined = `query ($from: Float!, $to: Float!) {
  Products(
    where: { price: { greater_than_equal: $from, less_than: $to } }, sort: "price", limit: ${pageRows}, pagination: false
  ) { docs { id name price category { name } } }
}`

/** Its ids are numbers from 1 on. */
const fill = `
  INSERT INTO categories (name) SELECT name FROM ${categoryRows};
  INSERT INTO products (name, description, price, is_active, category_id)
    SELECT name, description, price, true, category + 1 FROM ${productRows};
`

export const payload: Peer = {
  name: 'Payload',
  packageName: 'payload',
  unlike:
    `It runs in Next.js ${versionOf('next')} (\`next build\`, \`next start\`), here without its admin panel. Its pages are ` +
    'conditions on the id, without the count of all rows (`pagination=false`) and without the categories (`depth=0`), ' +
    'which is less work than its numbered pages.',
  start,
}

async function start(databaseUrl: string): Promise<Contender> {
  build()
  inApplication(['make-tables.js'], { DATABASE_URL: databaseUrl })
  await execute(databaseUrl, fill)
  const { server, stop } = await startPeer([next, 'start', application], '/ready', databaseUrl)
  return { name: payload.name, server, works: worksOf(server), stop }
}

function build(): void {
  const sources = globSync('{*.js,app/**/*.js}', { cwd: application }).toSorted()
  const texts = sources.map((path) => readFileSync(join(application, path), 'utf8'))
  const key = [readFileSync(join(peersFolder, 'package.json'), 'utf8'), ...texts].join('\n')
  once('built', key, () =>
    inApplication([join(peersFolder, next), 'build'], {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    }),
  )
}

function inApplication(words: string[], settings: Record<string, string>): void {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  execFileSync(process.execPath, words, { cwd: application, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function worksOf(server: Server): Record<WorkName, Side> {
  const numbers = [...Array(variants).keys()]
  return {
    get: sideOf(
      server,
      numbers.map((index) => read(`${products}/${index * pageRows + 1}?depth=0`)),
    ),
    list: sideOf(
      server,
      numbers.map((index) => {
        const where = `where[id][greater_than]=${index * pageRows}`
        return read(`${products}?${where}&sort=id&limit=${pageRows}&pagination=false&depth=0`)
      }),
      onePage,
    ),
    graphql: sideOf(
      server,
      numbers.map((index) => {
        const variables = { from: index * pageRows, to: (index + 1) * pageRows }
        return post('/api/graphql', headers, { query: joined, variables })
      }),
      onePageJoined,
    ),
    create: sideOf(
      server,
      numbers.map((index) => post(`${products}?depth=0`, headers, product(rows + index))),
      { status: 201 },
    ),
  }
}

function read(path: string): LoadRequest {
  return { method: 'GET', path, headers }
}
