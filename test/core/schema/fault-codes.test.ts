/** What is wrong with a field, for programs: a code and its parameters, beside the sentence. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { ServiceError } from '../../../src/core/errors.ts'
import { inputReader } from '../../../src/core/schema/input.ts'
import { MailAddress } from '../../../src/core/schema/schema.ts'

describe('The codes of faults', () => {
  const faultsOf = (schema: TSchema, value: unknown) => {
    try {
      inputReader(schema)(value)
      return []
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return error.faults.map(({ pointer, kind }) => [
        pointer,
        kind?.code,
        kind !== undefined && 'parameters' in kind ? kind.parameters : null,
      ])
    }
  }

  it('say which rule of a schema a value breaks', () => {
    for (const [schema, value, code, parameters] of [
      [Type.String(), 5, 'wrongType', { type: 'string' }],
      [Type.String({ minLength: 2 }), 'a', 'tooShort', { limit: 2 }],
      [Type.String({ maxLength: 2 }), 'abc', 'tooLong', { limit: 2 }],
      [Type.Number({ minimum: 0 }), -1, 'tooSmall', { limit: 0 }],
      [Type.Number({ maximum: 9 }), 10, 'tooBig', { limit: 9 }],
      [Type.Number({ exclusiveMinimum: 0 }), 0, 'notAbove', { limit: 0 }],
      [Type.Number({ exclusiveMaximum: 9 }), 9, 'notBelow', { limit: 9 }],
      [Type.Number({ multipleOf: 5 }), 7, 'notMultiple', { limit: 5 }],
      [Type.Array(Type.String(), { minItems: 1 }), [], 'tooFew', { limit: 1 }],
      [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'tooMany', { limit: 1 }],
      [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'notUnique', null],
      [
        Type.Record(Type.String(), Type.String(), { maxProperties: 1 }),
        { a: '', b: '' },
        'tooMany',
        { limit: 1 },
      ],
      [Type.String({ format: 'date' }), 'today', 'badFormat', { format: 'date' }],
      [Type.String({ pattern: '^a$' }), 'b', 'badPattern', null],
      [Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }), 'c', 'notOneOf', { values: 'a, b' }],
      [MailAddress(), 'nobody', 'badMailAddress', null],
      [Type.Literal('b'), 'a', 'mismatch', null],
      [Type.String(), 'a\u0000', 'badCharacters', null],
    ] as const)
      assert.deepEqual(faultsOf(Type.Object({ field: schema as TSchema }), { field: value })[0], [
        '/field',
        code,
        parameters,
      ])
  })

  it('say what is missing, and what nobody knows', () => {
    const closed = Type.Object({ name: Type.String() }, { additionalProperties: false })
    assert.deepEqual(faultsOf(closed, { nmae: 'a' }), [
      ['/nmae', 'unknownMember', null],
      ['/name', 'required', null],
    ])
  })
})
