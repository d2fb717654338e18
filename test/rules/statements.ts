/** SQL stands in `sql.ts`, `migration.ts` and the database, and reaches a tenant's table only through its scope. */
import type { Expression, VisitorObject } from 'oxc-parser'
import type { Report, Rule } from './rule.ts'

/** Those of operations work on the rows of any table. */
const database = /^src\/(database|operations\/(archive\/)?rows)\//
const place = /^src\/(database|operations\/(archive\/)?rows)\/|\/(sql|migration)\.ts$/

/** In one case throughout, as SQL is written and prose is not. */
const statement =
  /^\s*(SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|WITH\s+\S+\s+AS\s|(CREATE|ALTER|DROP)\s+(UNIQUE\s+)?(TABLE|INDEX|VIEW|TRIGGER)\s|PRAGMA\s|TRUNCATE\s|LISTEN\s|VACUUM\b)/
const lowerCaseStatement =
  /^\s*(select\s+(\d|\*|[\s\S]*\sfrom\s)|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\S+\s+as\s+\(|pragma\s)/

/** A raw fragment that names a table: the scope cannot see inside it. */
const namesTable = /\b(from|join|into|update)\s+["a-z_]/i
const nonTable = /\bdistinct\s+from\s|\b(extract|substring|trim|overlay)\s*\([^)]*\sfrom\s/gi

/** Ways around the plugin that puts the tenant into a query. */
const waysAround = new Set([
  'withoutPlugins',
  'executeQuery',
  'getExecutor',
  'CompiledQuery',
  'createTable',
  'alterTable',
  'dropTable',
])
const rawWays = new Set(['raw', 'table', 'id'])

/** The handle on the rows of all tenants, and what makes queries for it. */
const forAll = new Set(['QueueData', 'prepareForAll'])
const queuePlace =
  /^src\/(database|webhooks\/outgoing|webhooks\/incoming\/(queue|retention)|jobs\/(queue|schedule|metrics|retention)|operations\/(archive\/)?rows)\//

export const statementsInTheirPlace: Rule = {
  name: 'SQL has its place',
  mend: 'Move it to sql.ts or migration.ts of the feature, and call it from there.',
  folders: ['src'],
  check: ({ path, imports }, report) => {
    if (place.test(path)) return
    for (const { target, typeOnly, start } of imports) {
      if (/^kysely(\/|$)|^(pg|node:sqlite)$/.test(target) && !typeOnly) report(start, `imports ${target}`)
    }
    const judge = (text: string, start: number): void => {
      if (statement.test(text) || lowerCaseStatement.test(text))
        report(start, `holds SQL: ${text.trim().slice(0, 40)}`)
    }
    return {
      ...queriesReported(report),
      Literal: ({ value, start }) => judge(typeof value === 'string' ? value : '', start),
      TemplateElement: ({ value, start }) => judge(value.raw, start),
    }
  },
  refuses: {
    'a query builder in a verb': ['src/note/note.ts', "import { sql } from 'kysely'"],
    'a driver in a verb': ['src/note/note.ts', "import { DatabaseSync } from 'node:sqlite'"],
    'the handle in a verb': ['src/note/note.ts', "context.data.kysely.selectFrom('note')"],
    'the handle taken apart': ['src/note/note.ts', 'const rows = data?.kysely'],
    'a tagged template': ['src/note/rest.ts', 'sql`now()`'],
    'a typed tagged template': ['src/note/rest.ts', 'sql<string>`now()`'],
    'a statement as text': ['src/note/note.ts', "const text = 'SELECT id FROM note'"],
    'a statement in lower case': ['src/note/note.ts', "const text = 'select 1'"],
    'a statement as template': ['src/note/note.ts', 'const text = `INSERT INTO note VALUES (1)`'],
    'a table made elsewhere': ['src/note/feature.ts', "const text = 'CREATE TABLE note (id text)'"],
    'a statement that is run': ['src/note/note.ts', 'await inside.data.executor.run(text, [], false)'],
    'a statement in a transaction': ['src/note/note.ts', 'await transaction.run(text, [], false)'],
  },
  allows: {
    'a type of the query builder': ['src/note/note.ts', "import type { Selectable } from 'kysely'"],
    'SQL in its file': ['src/note/sql.ts', "import { sql } from 'kysely'\nsql`now()`"],
    'SQL in a migration': ['src/note/migration.ts', "const text = 'CREATE TABLE note (id text)'"],
    'prose that begins alike': ['src/note/rest.ts', "const summary = 'Select a note from the list'"],
  },
}

export const throughTheScope: Rule = {
  name: 'no query goes around the scope of its tenant',
  mend: 'Build the query with data.kysely or prepare(…), which put the tenant into it.',
  folders: ['src'],
  check: ({ path }, report) => {
    if (database.test(path)) return
    return {
      Identifier: ({ name, start }) => {
        if (waysAround.has(name)) report(start, `${name} leads around the scope`)
      },
      MemberExpression: ({ object, property, start }) => {
        if (object.type !== 'Identifier' || object.name !== 'sql' || property.type !== 'Identifier') return
        if (rawWays.has(property.name)) report(start, `sql.${property.name} hides a table from the scope`)
      },
      CallExpression: ({ callee, start }) => {
        if (place.test(path) && isStatementRun(callee)) report(start, 'runs a statement that has no scope')
      },
      TaggedTemplateExpression: ({ tag, quasi, start }) => {
        if (tag.type !== 'Identifier' || tag.name !== 'sql') return
        const text = quasi.quasis.map(({ value }) => value.raw).join('x')
        if (namesTable.test(text.replaceAll(nonTable, '')))
          report(start, 'names a table where the scope cannot see it')
      },
    }
  },
  refuses: {
    'a builder without plugins': ['src/note/sql.ts', "data.kysely.withoutPlugins().selectFrom('note')"],
    'a table that is dropped': ['src/note/sql.ts', "data.kysely.schema.dropTable('note')"],
    'a compiled query': ['src/note/sql.ts', 'CompiledQuery.raw(text)'],
    'a raw name': ['src/note/sql.ts', "selectFrom(sql.table('note').as('n'))"],
    'raw text': ['src/note/sql.ts', 'sql.raw(text)'],
    'a statement without a builder': ['src/note/sql.ts', "data.executor.run('select id', [], true)"],
    'a table in a fragment': ['src/note/sql.ts', 'sql`select count(*) from note where id = 1`'],
    'a join in a fragment': ['src/note/sql.ts', 'sql`true) join "folder" on (true`'],
  },
  allows: {
    'a condition': ['src/note/sql.ts', 'sql`instr(name, term) > 0`'],
    'words of SQL that name no table': [
      'src/note/sql.ts',
      'sql`a is distinct from b or extract(year from c) > 1`',
    ],
    'the dialect of a handle': ['src/note/sql.ts', "data.executor.dialect === 'postgres'"],
  },
}

export const onlyQueuesSeeAll: Rule = {
  name: 'only queues reach the rows of all tenants',
  mend: 'Read through the data of a tenant; a new queue is added to queuePlace of test/rules/statements.ts.',
  folders: ['src'],
  check: ({ path }, report) => {
    if (queuePlace.test(path)) return
    return {
      Identifier: ({ name, start }) => {
        if (forAll.has(name)) report(start, `${name} reaches the rows of all tenants`)
      },
    }
  },
  refuses: {
    'the handle in a feature': ['src/note/note.ts', 'new QueueData(executor)'],
    'a query for it': ['src/note/sql.ts', "import { prepareForAll } from '../database/prepared.ts'"],
  },
  allows: {
    'the delivery': ['src/webhooks/outgoing/queue/sql.ts', 'const due = prepareForAll((tables) => tables)'],
  },
}

function queriesReported(report: Report): VisitorObject {
  return {
    MemberExpression: ({ property, start }) => {
      if (property.type === 'Identifier' && property.name === 'kysely') report(start, 'builds a query')
    },
    CallExpression: ({ callee, start }) => {
      if (isStatementRun(callee)) report(start, 'runs a statement')
    },
    TaggedTemplateExpression: ({ tag, start }) => {
      if (tag.type === 'Identifier' && tag.name === 'sql') report(start, 'writes SQL')
    },
  }
}

/** `executor.run(…)`, `data.executor.run(…)`, `transaction.run(…)` */
function isStatementRun(callee: Expression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    lastName(callee) === 'run' &&
    /^(executor|transaction)$/.test(lastName(callee.object))
  )
}

function lastName(node: Expression): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : ''
}
