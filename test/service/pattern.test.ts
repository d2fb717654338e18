/** Schemas are compiled at the first input. Their regular expressions are checked before the service starts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { ApplicationError, action, type Feature, job, route } from '../../src/index.ts'
import { startService } from '../support/service.ts'

const wrong = Type.Object({ lines: Type.Array(Type.Object({ code: Type.String({ pattern: '[A-Z' }) })) })
/** `\\-` outside of brackets is allowed without the flag u. */
const loose = Type.Object({ code: Type.String({ pattern: String.raw`^A\-1$` }) })
const right = Type.Object(
  { pattern: Type.String({ pattern: String.raw`^\p{Lu}+$`, examples: ['ÄB'], default: 'A' }) },
  { examples: [{ pattern: '[' }] },
)

const posted = (body: typeof wrong | typeof loose | typeof right) => ({
  routes: [
    route({
      method: 'POST',
      path: '/api/codes',
      summary: 'Check a code',
      tag: 'Codes',
      access: 'user',
      body,
      status: 204,
      handle: async () => undefined,
    }),
  ],
})

const refused: [what: string, parts: Omit<Feature, 'name'>, reason: RegExp][] = [
  [
    'the body of a route',
    posted(wrong),
    /^The body of POST \/api\/codes: the pattern \[A-Z of \/properties\/lines\/items\/properties\/code is no regular expression/,
  ],
  ['a pattern that only the flag u refuses', posted(loose), /the pattern \^A\\-1\$ of \/properties\/code /],
  [
    'the query of a route',
    {
      routes: [
        route({
          method: 'GET',
          path: '/api/codes',
          summary: 'List codes',
          tag: 'Codes',
          access: 'user',
          query: loose,
          status: 204,
          handle: async () => undefined,
        }),
      ],
    },
    /^The query of GET \/api\/codes: /,
  ],
  [
    'an event',
    { events: { 'code.found': { summary: 'Found.', payload: wrong } } },
    /^The event code\.found: /,
  ],
  [
    'an action of incoming webhooks',
    { actions: { 'code.find': action({ payload: wrong, run: async () => undefined }) } },
    /^The action code\.find: /,
  ],
  [
    'a job',
    { jobs: [job('code.find', { data: wrong, run: async () => undefined })] },
    /^The job code\.find: /,
  ],
]

const start = async (parts: Omit<Feature, 'name'>) => {
  const { stop } = await startService('sqlite', {}, { features: [{ name: 'code', ...parts }] })
  await stop()
}

describe('A service', () => {
  for (const [what, parts, reason] of refused)
    it(`does not start with a malformed pattern in ${what}, and says where`, () =>
      assert.rejects(start(parts), (error) => {
        assert.ok(error instanceof ApplicationError)
        assert.match(error.message, reason)
        return true
      }))

  it('starts with patterns that are none: members of this name, and examples', () => start(posted(right)))
})
