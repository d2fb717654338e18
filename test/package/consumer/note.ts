/** A feature as a team would add it: everything comes from the package, and nothing from inside it. */
import {
  type Context,
  type Feature,
  inTransaction,
  invalidField,
  isDuplicate,
  type JsonPage,
  jsonObject,
  listReply,
  newId,
  now,
  PageQuery,
  type Precondition,
  pageColumns,
  preconditionOf,
  prepare,
  publish,
  Reply,
  route,
  ServiceError,
  type TenantColumn,
  Text,
  Timestamp,
  Uuid,
  validatorsOf,
} from 'tenantry'
import { type Static, Type } from 'typebox'

interface NoteTable {
  tenant_id: TenantColumn
  id: string
  text: string
  created_at: string
  version: number
}

declare module 'tenantry' {
  interface TenantTables {
    note: NoteTable
  }
  interface EventPayloads {
    'note.created': Static<typeof NotePayload>
    'note.updated': Static<typeof NotePayload>
  }
}

const Note = Type.Object({ id: Uuid, text: Text(1, 500), createdAt: Timestamp }, { $id: 'Note' })
const NoteInput = Type.Object({ text: Text(1, 500) }, { $id: 'NoteInput' })

const NotePayload = Type.Object({ noteId: Uuid })

type StoredNote = Static<typeof Note> & { version: number }

const columns = ['id', 'text', 'created_at as createdAt', 'version'] as const

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('note').select(columns).where('id', '=', p.id),
)

const insert = prepare((tables, p: Omit<NoteTable, 'tenant_id'>) =>
  tables.insertInto('note').values({ id: p.id, text: p.text, created_at: p.created_at, version: p.version }),
)

const replace = prepare((tables, p: { id: string; text: string; version: number }) =>
  tables.updateTable('note').set({ text: p.text, version: p.version }).where('id', '=', p.id),
)

const page = prepare((tables, p: { after: string; limit: number }, dialect) => {
  const rows = tables
    .selectFrom('note')
    .select('id')
    .select(jsonObject(dialect, Note).as('json'))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit)
  return tables.selectFrom(rows.as('page')).select(pageColumns(dialect))
})

function listNotes({ data }: Context, place: { after: string; limit: number }): Promise<JsonPage | null> {
  return data.first(page, place)
}

async function getNote({ data }: Context, id: string): Promise<StoredNote> {
  const note = await data.first(byId, { id })
  if (note === null) throw new ServiceError('notFound', 'There is no such note.')
  return note
}

function createNote(context: Context, { text }: Static<typeof NoteInput>): Promise<StoredNote> {
  return inTransaction(context, async (inside) => {
    const note = { id: newId(), text, createdAt: now(inside), version: 1 }
    try {
      await inside.data.change(insert, { id: note.id, text, created_at: note.createdAt, version: 1 })
    } catch (error) {
      throw isDuplicate(error, 'text') ? invalidField('text', 'is taken by another note') : error
    }
    await publish(inside, 'note.created', { noteId: note.id })
    return note
  })
}

function updateNote(
  context: Context,
  id: string,
  { text }: Static<typeof NoteInput>,
  precondition: Precondition,
): Promise<StoredNote> {
  return inTransaction(context, async (inside) => {
    const before = await getNote(inside, id)
    precondition?.(before)
    const note = { ...before, text, version: before.version + 1 }
    await inside.data.change(replace, { id, text, version: note.version })
    await publish(inside, 'note.updated', { noteId: id })
    return note
  })
}

const common = { tag: 'Notes', access: 'user' } as const

export const noteFeature: Feature = {
  name: 'note',
  migrations: [
    {
      name: 'note-0001',
      database: 'tenant',
      statements: (t) => [
        `CREATE TABLE note (
          tenant_id ${t.key} NOT NULL,
          id ${t.id} NOT NULL,
          text ${t.key} NOT NULL,
          created_at ${t.timestamp} NOT NULL,
          version ${t.integer} NOT NULL,
          PRIMARY KEY (tenant_id, id)
        ) ${t.clustered}`,
        'CREATE UNIQUE INDEX note_text ON note (tenant_id, text)',
      ],
    },
  ],
  events: {
    'note.created': { summary: 'A note was created.', payload: NotePayload },
    'note.updated': { summary: 'A note was changed.', payload: NotePayload },
  },
  routes: [
    route({
      ...common,
      method: 'GET',
      path: '/api/notes',
      summary: 'List notes',
      query: Type.Object(PageQuery),
      status: 200,
      reply: Type.Array(Note),
      headers: ['etag', 'link'],
      handle: (context, { query }) =>
        listReply(context, '/api/notes', query, (place) => listNotes(context, place)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/notes',
      summary: 'Create a note',
      body: NoteInput,
      status: 201,
      reply: Note,
      idempotent: true,
      handle: async (context, { body }) => tagged(await createNote(context, body)),
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/api/notes/:id',
      summary: 'Change a note',
      body: NoteInput,
      status: 200,
      reply: Note,
      errors: ['notFound'],
      conditional: true,
      handle: async (context, { path, body, headers }) =>
        tagged(await updateNote(context, path.id, body, preconditionOf(headers))),
    }),
  ],
}

function tagged(note: StoredNote): Reply {
  return new Reply(note, validatorsOf(note))
}
