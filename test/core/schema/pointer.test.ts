import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { ServiceError } from '../../../src/core/errors.ts'
import { inputReader } from '../../../src/core/schema/input.ts'

describe('The JSON pointer of a fault', () => {
  const read = inputReader(
    Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false }),
  )
  const pointersOf = (value: unknown): string[] => {
    try {
      read(value)
    } catch (error) {
      if (error instanceof ServiceError) return error.faults.map(({ pointer }) => pointer)
      throw error
    }
    return []
  }

  it('escapes names that the caller has chosen (RFC 6901)', () => {
    assert.deepEqual(pointersOf({ 'a/b~c': 'x' }), ['/a~1b~0c'])
    assert.deepEqual(pointersOf({ 'a/b~c': ['x', '\0'] }), ['/a~1b~0c/1'])
  })
})
