/** Who may import whom: rooms in their order, `rest` and `graphql` → verb → `sql` → `database`, one place that wires. */
import type { Rule } from './rule.ts'

/** The folders of `src`, the lowest first. A room depends on itself and on rooms below it. */
const rooms = [
  'database',
  'core',
  'api',
  'files',
  'entity',
  'mail',
  'identity',
  'tenancy',
  'jobs',
  'webhooks',
  'operations',
  'catalog',
  'orders',
  'console',
  'service',
  'cli',
  'testing',
  'entry',
]

const entry = /^src\/(main|index|testing)\.ts$/
const wiring = /^src\/(service|cli|testing)\/|^src\/(main|index|testing)\.ts$/
const transport =
  /^src\/api\/(http|graphql|openapi)\/|^src\/core\/feature\/(route|field)\.ts$|^(fastify$|@fastify\/|graphql$|graphql-)/
const page = /^src\/(console|identity\/account-page)\/|^src\/tenancy\/.+\/page\.ts$/
const transportFile = new RegExp(`/(rest|graphql|feature|description)\\.ts$|${page.source}`)
const contract = /^src\/core\/feature\//
const sql = /^src\/(.+\/)?sql\.ts$/

interface Direction {
  because: string
  from: (path: string) => boolean
  to: (target: string, from: string) => boolean
}

const directions: Direction[] = [
  {
    because: 'a room depends only on rooms below it',
    from: (path) => path.startsWith('src/'),
    to: (target, from) => target.startsWith('src/') && rankOf(target) > rankOf(from),
  },
  {
    because: 'the database knows no transport',
    from: (path) => path.startsWith('src/database/'),
    to: (target) => transport.test(target),
  },
  {
    because: 'a verb serves every transport and knows none',
    from: (path) => isOfFeature(path) && !transportFile.test(path),
    to: (target) => transport.test(target) || /\/(rest|graphql)\.ts$/.test(target),
  },
  {
    because: 'a transport asks a verb',
    from: (path) => /\/(rest|graphql)\.ts$/.test(path) || page.test(path) || path.startsWith('src/api/'),
    to: (target) => sql.test(target),
  },
  {
    because: "a feature's statements are its own",
    from: (path) => path.startsWith('src/'),
    to: (target, from) => sql.test(target) && ownerOf(target) !== ownerOf(from),
  },
  {
    because: 'only the service wires',
    from: (path) => path.startsWith('src/') && !wiring.test(path),
    to: (target, from) =>
      wiring.test(target) ||
      (/\/feature\.ts$/.test(target) && !contract.test(target) && folderOf(target) !== folderOf(from)),
  },
  {
    because: 'the product does without its tests',
    from: (path) => path.startsWith('src/'),
    to: (target) => /^(test|bench|examples)\//.test(target),
  },
  {
    because: 'an import that is computed cannot be checked',
    // The file of an application is named by its user.
    from: (path) => path !== 'src/cli/application.ts',
    to: (target) => target === '(computed)',
  },
]

export const importsInward: Rule = {
  name: 'imports go from the transport inward, and from room to room downward',
  mend: 'Move what is needed to where both may import it: ARCHITECTURE.md has the order of the rooms and files.',
  folders: ['src'],
  check: ({ path, imports }, report) => {
    for (const { target, start } of imports) {
      for (const { because } of directions.filter(({ from, to }) => from(path) && to(target, path)))
        report(start, `imports ${target}: ${because}`)
    }
    return undefined
  },
  refuses: {
    'a room above': ['src/core/context.ts', "import type { User } from '../identity/user/schema.ts'"],
    'a type of a room above': ['src/api/http/a.ts', "type T = import('../../tenancy/tenant.ts').T"],
    'a feature in the database': [
      'src/database/a.ts',
      "import { getProduct } from '../catalog/product/product.ts'",
    ],
    'the server in the database': [
      'src/database/a.ts',
      "import type { Route } from '../core/feature/route.ts'",
    ],
    'HTTP in a verb': ['src/catalog/note/note.ts', "import { Reply } from '../../core/feature/route.ts'"],
    'the type of a library of HTTP in a verb': ['src/orders/order.ts', "import type { F } from 'fastify'"],
    'a transport in a statement': ['src/orders/sql.ts', "import { orderRoutes } from './rest.ts'"],
    'the server in a verb': ['src/orders/order.ts', "import '../api/http/json-list.ts'"],
    'the server in what all share': ['src/core/context.ts', "import '../api/http/server.ts'"],
    'a statement in a route': ['src/orders/rest.ts', "import { findOrder } from './sql.ts'"],
    'a statement in a page': ['src/identity/account-page/a.ts', "import '../invitation/sql.ts'"],
    'a statement in a resolver': ['src/orders/graphql.ts', "import { type Row } from './sql.ts'"],
    'a statement in the server': ['src/api/http/server.ts', "import '../../core/events/sql.ts'"],
    "another feature's statements": [
      'src/orders/order.ts',
      "import { findProduct } from '../catalog/product/sql.ts'",
    ],
    'the type of a statement of another feature': [
      'src/orders/order.ts',
      "type R = import('../catalog/product/sql.ts').R",
    ],
    'statements passed on': [
      'src/orders/order.ts',
      "export { findProduct } from '../catalog/product/sql.ts'",
    ],
    'statements imported late': ['src/orders/order.ts', "await import('../catalog/product/sql.ts')"],
    'the service in a feature': [
      'src/orders/order.ts',
      "import { createService } from '../service/service.ts'",
    ],
    "another feature's registration": ['src/orders/feature.ts', "import '../catalog/product/feature.ts'"],
    'a test in the product': [
      'src/orders/order.ts',
      "import { receive } from '../../test/support/receiver.ts'",
    ],
    'a computed import': ['src/orders/order.ts', 'await import(name)'],
  },
  allows: {
    'the way of a request': ['src/orders/rest.ts', "import '../core/feature/route.ts'\nimport './order.ts'"],
    'a statement in its verb': ['src/orders/order.ts', "import { findOrder } from './sql.ts'"],
    "another feature's verb": [
      'src/orders/order.ts',
      "import { findProducts } from '../catalog/product/product.ts'",
    ],
    'what a feature is': [
      'src/orders/feature.ts',
      "import type { Feature } from '../core/feature/feature.ts'",
    ],
    'everything in the service': [
      'src/service/service.ts',
      "import '../orders/feature.ts'\nimport 'fastify'",
    ],
  },
}

/** @throws Error for a folder that is no room, or a file outside the rooms that is not one of the few */
export function rankOf(path: string): number {
  const rank = rooms.indexOf(roomOf(path))
  if (rank < 0)
    throw new Error(`${path} is in no room: add its folder to the rooms of test/rules/imports.ts.`)
  return rank
}

function roomOf(path: string): string {
  return entry.test(path) ? 'entry' : (path.split('/')[1] ?? '')
}

/** Not the rooms that hold what all features share. */
function isOfFeature(path: string): boolean {
  return path.startsWith('src/') &&
    rankOf(path) > rooms.indexOf('entity') &&
    rankOf(path) < rooms.indexOf('service')
    ? true
    : /^src\/core\/(audit|events|idempotency|encryption)\//.test(path)
}

/** Whose a statement is: a folder of a room. What is done to tenants as a whole is one subject in three rooms. */
function ownerOf(path: string): string {
  const [, room = '', folder = ''] = path.split('/')
  if (room === 'tenancy' || room === 'operations' || path.startsWith('src/core/tenant/')) return 'tenants'
  return ['orders', 'entity', 'files', 'jobs', 'mail'].includes(room) ? room : `${room}/${folder}`
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
