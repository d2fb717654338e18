/** Papers whose versions and deleted rows are kept, memos that each reads of its own, and what refers to them. */
import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import {
  entity,
  file,
  integer,
  like,
  many,
  never,
  oneOf,
  reference,
  sequence,
  text,
  user,
} from '../../../src/index.ts'
import type { Answer, Client } from '../../support/client.ts'
import type { TestService } from '../../support/service.ts'
import { migrated } from '../migrated.ts'

export const shelf = entity('shelf', { plural: 'shelves', fields: { name: text() } })

export const paper = entity('paper', {
  fields: {
    number: sequence(),
    title: text({ ignoreCase: true }),
    body: text({ max: 100_000 }).optional(),
    state: oneOf('draft', 'sent').default('draft').readOnly(),
    length: integer().computed(),
    shelf: reference(shelf).optional(),
    editor: user({ onDelete: 'clear' }).optional(),
    author: user().optional(),
    document: file({ types: ['application/pdf'] }).optional(),
    secret: text().optional(),
    cost: integer().default(0),
    origin: text().default('here'),
    lines: many({ label: text(), amount: integer().default(1) }).optional(),
  },
  unique: [['title']],
  access: {
    list: 'public',
    fields: {
      secret: { read: 'paper:secret' },
      cost: { write: never },
      origin: { write: 'once' },
    },
  },
  compute: { length: ({ body }) => body?.length ?? 0 },
  actions: {
    send: { from: { state: 'draft' }, to: { state: 'sent' }, event: 'sent' },
    price: { input: Type.Object({ cost: Type.Integer() }), run: (_row, { input }) => ({ cost: input.cost }) },
  },
  hooks: {
    beforeCreate: ({ cost }) => ({ cost: cost + 1 }),
    beforeChange: ({ title }) => {
      if (title === 'refused') throw new Error('refused')
    },
  },
  trash: { days: 30 },
})

/** Kept by their history alone. */
export const memo = entity('memo', {
  fields: { text: text({ max: 20 }), owner: user() },
  history: true,
  access: { rows: ({ row, actor }) => row.owner.is(actor.id) },
})

/** Each is read by its owner, and so are its replies. */
export const letter = entity('letter', {
  fields: { text: text({ max: 100_000 }), owner: user(), secret: text().optional() },
  access: { rows: ({ row, actor }) => row.owner.is(actor.id), fields: { secret: { read: 'letter:secret' } } },
  trash: { days: 30 },
})

export const reply = entity('reply', {
  plural: 'replies',
  fields: { letter: reference(letter), text: text({ max: 20 }) },
  access: { rows: like('letter') },
  trash: { days: 30 },
})

export const plain = entity('plain', { fields: { text: text() } })

export const paperFeatures = migrated([shelf, paper, memo, letter, reply, plain])

export async function made(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, text: answered, body } = await answer
  assert.ok(status === 200 || status === 201, `${status} ${answered}`)
  return body
}

export const pathOfPaper = ({ id }: { id: string }) => `/api/papers/${id}`

export async function newPaper(caller: Client, members: object): Promise<Answer['body']> {
  return made(caller.post('/api/papers', members))
}

/** The daily job, as the service runs it. */
export async function trim({ service }: Pick<TestService, 'service'>): Promise<void> {
  const job = intervalJobsOf(service.features).find(({ name }) => name === 'retention of history')
  assert.ok(job)
  await job.run(await service.operator(), new AbortController().signal)
}
