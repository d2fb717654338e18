/** `tenantry check` finds what would fail at the start or at the first request, and starts nothing. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { ownEntry } from '../database/schema/application.ts'
import { Workplace } from '../support/process/workplace.ts'

const typebox = import.meta.resolve('typebox')

let written = 0

/** Each time in a file of another name: a process loads a file once. @param code that declares `features` @param members of the definition besides */
function commandsOf(place: Workplace, code: string, members = '') {
  const file = join(place.folder, `application-${++written}.ts`)
  writeFileSync(
    file,
    `import { defineConfig, entity, everyRow, route, text } from '${ownEntry}'
import { Type } from '${typebox}'
${code}
export default defineConfig({ features, ${members} })
`,
  )
  return (...words: string[]) => place.run([...words, '--config', file])
}

function execute(file: string, statement: string): void {
  const database = new DatabaseSync(file)
  database.exec(statement)
  database.close()
}

const task = "const task = entity('task', { fields: { title: text() } })"

/** @param members of the route, as code */
const withRoute = (members: string) => `const features = [{ name: 'note', routes: [route({
  method: 'POST', path: '/api/notes', tag: 'Notes', summary: 'Make a note', access: 'user', status: 200,
  impersonation: 'allowed', handle: async () => ({ text: 'x' }), ${members}
})] }]`

const reply = "reply: Type.Object({ text: Type.String() }, { $id: 'NoteReply' })"

describe('tenantry check', () => {
  it('passes an application that works, and opens no database of it', async () => {
    await using place = new Workplace()
    const run = commandsOf(place, `${task}\nconst features = [task]`)
    assert.equal((await run('migrate', 'diff')).code, 0)
    const { code, stdout, stderr } = await run('check')
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(
      stdout,
      `The definitions are those of the snapshot.
The migrations run on an empty database.
The schema of GraphQL is valid.
The OpenAPI document is valid, and so are its examples.
`,
    )
    assert.ok(!existsSync(join(place.folder, 'data')))
  })

  it('passes the plain service', async () => {
    await using place = new Workplace()
    const { code, stderr } = await place.run(['check'])
    assert.deepEqual([code, stderr], [0, ''])
  })

  it('lists the roles of tenants that lose something, and migrates nothing', async () => {
    await using place = new Workplace()
    const before =
      "const features = [{ name: 'note', permissions: { 'note:read': { description: 'x', role: 'User' } } }]"
    const create = commandsOf(place, before)
    const none = await create('check', '--stored')
    assert.match(none.stdout, /\nThere is no database yet, and so no role of a tenant\.\n$/)
    assert.equal((await create('migrate')).code, 0)
    const file = join(place.folder, 'data', 'tenantry.db')
    const insert = (name: string, permissions: string[]) => {
      const values = `'default', '${name.toLowerCase()}', '${name}', '${JSON.stringify(permissions)}', 'x', 'x', 1`
      const columns = 'tenant_id, name_key, name, permissions, created_at, updated_at, version'
      execute(file, `INSERT INTO role (${columns}) VALUES (${values})`)
    }
    insert('Reader', ['note:read', 'order:read'])
    insert('Agent', ['order:read'])
    const same = await create('check', '--stored')
    assert.deepEqual([same.code, same.stderr], [0, ''])
    assert.match(same.stdout, /\nNo role of a tenant loses anything\.\n$/)
    const roles = "roles: { Agent: ['order:read', 'order:write'] }"
    const { code, stdout } = await commandsOf(place, 'const features = []', roles)('check', '--stored')
    assert.equal(code, 0)
    assert.deepEqual(stdout.split('\n').slice(3, -1), [
      'The role Agent of the tenant default is used in place of that of the application, and lacks: order:write.',
      'The role Reader of the tenant default loses what does not exist any more: note:read.',
    ])
  })

  it('lists the roles that read a row, and not the one that it refers to', async () => {
    await using place = new Workplace()
    const file = join(place.folder, 'data', 'tenantry.db')
    const code = `import { many, reference } from '${ownEntry}'
const boss = entity('boss', { fields: { name: text() }, access: { read: 'admin' } })
const place = entity('place', { fields: { name: text() } })
const shown = entity('shown', { fields: { name: text() }, access: { read: 'admin' } })
const team = entity('team', { fields: {
  boss: reference(boss), place: reference(place), shown: reference(shown).shown(),
  visits: many({ by: reference(boss) }),
} })
const features = [boss, place, shown, team]`
    const roles = "roles: { Agent: ['team:read', 'boss:read', 'place:read'], Guest: ['place:read'] }"
    const run = commandsOf(place, code, roles)
    assert.equal((await run('migrate', 'diff')).code, 0)
    assert.equal((await run('migrate')).code, 0)
    const insert = (name: string, permissions: string[]) => {
      const values = `'default', '${name.toLowerCase()}', '${name}', '${JSON.stringify(permissions)}', 'x', 'x', 1`
      const columns = 'tenant_id, name_key, name, permissions, created_at, updated_at, version'
      execute(file, `INSERT INTO role (${columns}) VALUES (${values})`)
    }
    insert('Reader', ['team:read'])
    insert('Whole', ['team:read', 'boss:read', 'place:read'])
    insert('Other', ['order:read'])
    const { code: exit, stdout } = await run('check', '--stored')
    assert.equal(exit, 0)
    const lost = 'reads the id alone where a row refers to one that it may not read'
    const ofBoss = ['team.boss (boss:read)', 'team.visits.by (boss:read)']
    assert.deepEqual(stdout.split('\n').slice(4, -1), [
      `The role User ${lost}: ${ofBoss.join(', ')}.`,
      `The role Reader of the tenant default ${lost}: team.boss (boss:read), team.place (place:read), team.visits.by (boss:read).`,
    ])
  })

  const faults: [what: string, code: string, reason: RegExp][] = [
    [
      'definitions without migrations',
      `${task}\nconst features = [task]`,
      /differ from the snapshot|create table task/,
    ],
    [
      'a field of GraphQL whose type is not valid',
      `const type = Type.Object({}, { $id: 'Nothing' })
      const nothing = { kind: 'object', type, description: '', read: async () => ({}) }
      const features = [{ name: 'nothing', graphql: { queries: { nothing } } }]`,
      /The schema of GraphQL is not valid: Type Nothing must define one or more fields\./,
    ],
    [
      'an example of a body that the route refuses',
      withRoute(
        `body: Type.Object({ text: Type.String({ maxLength: 3, examples: ['long'] }) }, { $id: 'NoteInput' }), ${reply}`,
      ),
      /POST \/api\/notes, example of the body: text: must not have more than 3 characters/,
    ],
    [
      'an example of a reply that is not of its schema',
      withRoute("reply: Type.Object({ count: Type.Integer({ examples: ['many'] }) }, { $id: 'NoteReply' })"),
      /POST \/api\/notes, example of the reply: count: must be integer/,
    ],
    [
      'two schemas of one name',
      withRoute(`body: Type.Object({ other: Type.String() }, { $id: 'NoteReply' }), ${reply}`),
      /Two different schemas have the \$id NoteReply/,
    ],
    [
      'two operations of one name',
      withRoute(`name: 'listProducts', ${reply}`),
      /Two operations have the id listProducts/,
    ],
    [
      'a permission that no feature declares',
      withRoute(reply).replace("access: 'user'", "access: 'note:write'"),
      /requires the permission note:write, which no feature declares/,
    ],
  ]
  for (const [what, code, reason] of faults)
    it(`names ${what}`, async () => {
      await using place = new Workplace()
      const { code: exit, stderr } = await commandsOf(place, code)('check')
      assert.equal(exit, 1)
      assert.match(stderr, /^tenantry: /)
      assert.doesNotMatch(stderr, /\n +at /, 'a stack')
      assert.match(stderr, reason)
    })

  it('names entities that do not say who reaches which row, where the application requires it', async () => {
    await using place = new Workplace({ PORT: '0' })
    const open = "const open = entity('open', { fields: { title: text() }, access: { rows: everyRow } })"
    const code = `${task}\n${open}\nconst features = [open, task]`
    const run = commandsOf(place, code, 'requireRows: true')
    for (const words of [['check'], ['serve']]) {
      const { code: exit, stderr } = await run(...words)
      assert.equal(exit, 1)
      assert.equal(stderr, 'tenantry: requireRows: task states no access.rows. Write a rule, or everyRow.\n')
    }
    const all = commandsOf(place, `${open}\nconst features = [open]`, 'requireRows: true')
    assert.equal((await all('migrate', 'diff')).code, 0)
    const { code: exit, stderr } = await all('check')
    assert.deepEqual([exit, stderr], [0, ''])
  })

  it('warns of what rules of rows cannot hide', async () => {
    await using place = new Workplace()
    const rule = 'rows: ({ row, actor }) => row.owner.is(actor.id)'
    const run = commandsOf(
      place,
      `import { sequence, user } from '${ownEntry}'
const note = entity('note', { fields: { owner: user(), title: text(), number: sequence() },
  unique: [['owner', 'title'], ['title']], access: { ${rule} } })
const features = [note]`,
    )
    assert.equal((await run('migrate', 'diff')).code, 0)
    const { code, stderr } = await run('check')
    assert.equal(code, 0)
    assert.equal(
      stderr,
      `tenantry: note: unique [title] tells a caller that a row out of reach has a value. Begin it with a member that the rule of rows fixes.
tenantry: note.number: the gaps of a sequence tell a caller how many rows are out of reach.
`,
    )
  })

  it('says, as every command does, which built-in feature has the name of one', async () => {
    await using place = new Workplace({ PORT: '0' })
    const run = commandsOf(
      place,
      "const portal = entity('portal', { fields: { title: text() } })\nconst features = [portal]",
    )
    for (const words of [
      ['check'],
      ['migrate', 'diff'],
      ['migrate', 'check'],
      ['migrate'],
      ['serve'],
      ['tenant', 'list'],
    ]) {
      const { code, stdout, stderr } = await run(...words)
      assert.deepEqual([code, stdout], [1, ''], words.join(' '))
      assert.equal(
        stderr,
        'tenantry: The feature portal has the name of a built-in feature (the embedded portal of webhooks): choose another name.\n',
      )
    }
    assert.ok(!existsSync(join(place.folder, 'migrations')))
  })
})
