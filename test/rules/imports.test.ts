/** Who may import whom: `rest` and `graphql` → verb → `sql` → `database`, and only the service wires. */
import { type Rule, testRule } from './rule.ts'
import type { Import } from './source.ts'

/** Folders of `src` that are not features. */
const layers = 'database|http|graphql|cli'
const feature = new RegExp(`^src/(?!(?:${layers})/)([^/]+)/`)
const wiring = /^src\/(service|parts|main|index)\.ts$|^src\/cli\//
const transport = /^src\/(http|graphql)\/|^(fastify$|@fastify\/|graphql$|graphql-)/
const sql = /^src\/[^/]+\/(.+\/)?sql\.ts$/

interface Direction {
  because: string
  from: (path: string) => boolean
  to: (target: string, from: string) => boolean
}

const directions: Direction[] = [
  {
    because: 'the database knows no feature, no transport and no service',
    from: (path) => path.startsWith('src/database/'),
    to: (target) => feature.test(target) || transport.test(target) || wiring.test(target),
  },
  {
    because: 'a verb serves every transport and knows none',
    from: (path) => feature.test(path) && !/\/(rest|graphql|feature)\.ts$/.test(path),
    to: (target) => transport.test(target) || /\/(rest|graphql)\.ts$/.test(target),
  },
  {
    because: 'what all parts share knows no transport',
    from: (path) => /^src\/[^/]+\.ts$/.test(path) && path !== 'src/feature.ts' && !wiring.test(path),
    to: (target) => transport.test(target),
  },
  {
    because: 'a transport asks a verb',
    from: (path) => /\/(rest|graphql)\.ts$/.test(path) || /^src\/(http|graphql)\//.test(path),
    to: (target) => sql.test(target),
  },
  {
    because: "a feature's statements are its own",
    from: (path) => path.startsWith('src/'),
    to: (target, from) => sql.test(target) && featureOf(target) !== featureOf(from),
  },
  {
    because: 'only the service wires',
    from: (path) => path.startsWith('src/') && !wiring.test(path),
    to: (target, from) =>
      wiring.test(target) ||
      (/^src\/[^/]+\/feature\.ts$/.test(target) && featureOf(target) !== featureOf(from)),
  },
  {
    because: 'the product does without its tests',
    from: (path) => path.startsWith('src/'),
    to: (target) => /^(test|bench|examples)\//.test(target),
  },
  {
    because: 'an import that is computed cannot be checked',
    from: () => true,
    to: (target) => target === '(computed)',
  },
]

/** Apart from features, which use each other's verbs, and from what wires. */
const mostFeatures = 2

const importsInward: Rule = ({ path, imports }) =>
  imports.flatMap(({ target, line }) =>
    directions
      .filter(({ from, to }) => from(path) && to(target, path))
      .map(({ because }) => ({ line, text: `imports ${target}: ${because}` })),
  )

const importsFewFeatures: Rule = ({ path, imports }) => {
  if (!path.startsWith('src/') || feature.test(path) || wiring.test(path)) return []
  const features = new Set(imports.flatMap(({ target }: Import) => featureOf(target) ?? []))
  return features.size > mostFeatures ? [{ line: 1, text: `imports many features: ${[...features]}` }] : []
}

function featureOf(path: string): string | null {
  return feature.exec(path)?.[1] ?? null
}

testRule('imports go from the transport inward', importsInward, {
  folders: ['src'],
  refuses: {
    'a feature in the database': ['src/database/a.ts', "import { getNote } from '../note/note.ts'"],
    'the server in the database': ['src/database/a.ts', "import type { Route } from '../http/route.ts'"],
    'HTTP in a verb': ['src/note/note.ts', "import { Reply } from '../http/route.ts'"],
    'the type of a library of HTTP in a verb': ['src/note/note.ts', "import type { F } from 'fastify'"],
    'a transport in a statement': ['src/note/sql.ts', "import { noteRoutes } from './rest.ts'"],
    'a transport in a verb of a subfolder': ['src/note/inner/place.ts', "import '../../http/route.ts'"],
    'a plugin of the server in the context': ['src/context.ts', "import cors from '@fastify/cors'"],
    'a statement in a route': ['src/note/rest.ts', "import { findNote } from './sql.ts'"],
    'a statement in a resolver': ['src/note/graphql.ts', "import { type Row } from './sql.ts'"],
    'a statement in the server': ['src/http/server.ts', "import { findNote } from '../note/sql.ts'"],
    "another feature's statements": ['src/note/note.ts', "import { findFolder } from '../folder/sql.ts'"],
    'the type of a statement of another feature': [
      'src/note/note.ts',
      "type R = import('../folder/sql.ts').R",
    ],
    'statements passed on': ['src/note/note.ts', "export { findFolder } from '../folder/sql.ts'"],
    'statements imported late': ['src/note/note.ts', "await import('../folder/sql.ts')"],
    'the service in a feature': ['src/note/note.ts', "import { createService } from '../service.ts'"],
    "another feature's registration": ['src/note/feature.ts', "import { f } from '../folder/feature.ts'"],
    'a test in the product': ['src/note/note.ts', "import { receive } from '../../test/harness/receiver.ts'"],
    'a computed import': ['src/note/note.ts', 'await import(name)'],
  },
  allows: {
    'the way of a request': ['src/note/rest.ts', "import '../http/route.ts'\nimport './note.ts'"],
    'a statement in its verb': ['src/note/note.ts', "import { findNote } from './sql.ts'"],
    "another feature's verb": ['src/note/note.ts', "import { getFolder } from '../folder/folder.ts'"],
    'everything in the service': ['src/service.ts', "import '../src/note/feature.ts'\nimport 'fastify'"],
  },
})

testRule('only the service knows many features', importsFewFeatures, {
  folders: ['src'],
  refuses: {
    'three features in a shared file': [
      'src/transaction.ts',
      "import './event/publish.ts'\nimport './audit/audit.ts'\nimport './idempotency/once.ts'",
    ],
    'three features in the server': [
      'src/http/context.ts',
      "import '../tenant/tenant.ts'\nimport '../user/user.ts'\nimport '../session/session.ts'",
    ],
  },
  allows: {
    'many features in the service': [
      'src/service.ts',
      "import './a/a.ts'\nimport './b/b.ts'\nimport './c/c.ts'",
    ],
    'many verbs in a feature': [
      'src/note/note.ts',
      "import '../a/a.ts'\nimport '../b/b.ts'\nimport '../c/c.ts'",
    ],
  },
})
