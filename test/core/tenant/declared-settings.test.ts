import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ServiceError } from '../../../src/core/errors.ts'
import { Nullable } from '../../../src/core/schema/schema.ts'
import { ConfigError } from '../../../src/core/settings/config.ts'
import { DeclaredSettings, maxSettings } from '../../../src/core/tenant/settings/declared.ts'
import { setting, type TenantSettingCatalogue } from '../../../src/core/tenant/settings/setting.ts'
import { builtInSettings } from '../../../src/tenancy/settings/built-in.ts'
import { runSeed } from '../../support/run/extent.ts'

const text = Type.String({ maxLength: 10 })
const prefix = setting(text, { default: 'INV-' })

describe('The settings of tenants', () => {
  it('are reset with null, also one with a single value', () => {
    const mode = setting(Type.Literal('strict'), { default: 'strict' })
    const { change } = new DeclaredSettings([{ mode, prefix }]).shapes
    assert.ok(Check(change, { mode: null, prefix: null }))
    assert.ok(!Check(change, { mode: 'other' }))
  })

  it('are refused together, each with its fault', () => {
    const many = Object.fromEntries(Array.from({ length: maxSettings }, (_, index) => [`a${index}`, prefix]))
    const faulty: [TenantSettingCatalogue[], RegExp][] = [
      [
        [{ invoicePrefix: setting(text, { default: 'far too long' }) }],
        /invoicePrefix has a default that does not match/,
      ],
      [[{ prefix }, { prefix }], /prefix is declared by two features/],
      [[{ 'Invoice prefix': prefix }], /Invoice prefix must have a name/],
      [
        [{ note: setting(Nullable(text), { default: 'a' }) }],
        /note accepts null, and must have it as its default/,
      ],
      [
        [{ note: setting(Type.String(), { default: 'a'.repeat(9000) }) }],
        /note has a default of more than 8 KiB/,
      ],
      [[{ prefix }, many], /There are more than 100 tenant settings/],
    ]
    for (const [catalogues, reason] of faulty) {
      assert.throws(
        () => new DeclaredSettings(catalogues),
        (error: unknown) => error instanceof ConfigError && reason.test(error.message),
        String(reason),
      )
    }
  })

  it('have their defaults, and never a value that their schema refuses', () => {
    const declared = new DeclaredSettings([
      { prefix, days: setting(Type.Integer({ minimum: 0 }), { default: 14 }) },
    ])
    const stored = fc.dictionary(fc.constantFrom('prefix', 'days', 'gone', '__proto__'), fc.jsonValue())
    fc.assert(
      fc.property(stored, (values) => {
        const {
          prefix: name,
          days,
          ...others
        } = declared.valuesOf(values) as { prefix: string; days: number }
        assert.deepEqual(others, {})
        const [given, number] = [values['prefix'], values['days']]
        assert.equal(name, typeof given === 'string' && [...given].length <= 10 ? given : 'INV-')
        assert.equal(
          days,
          typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : 14,
        )
      }),
      { seed: runSeed },
    )
  })

  it('cannot be changed by who reads them', () => {
    const shape = Type.Object({ days: Type.Array(Type.Integer(), { maxItems: 5 }) })
    const declared = new DeclaredSettings([{ reminder: setting(shape, { default: { days: [7, 14] } }) }])
    for (const values of [declared.defaults, declared.valuesOf({ reminder: { days: [1] } })]) {
      const { reminder } = values as { reminder: { days: number[] } }
      assert.throws(() => reminder.days.push(3), TypeError)
    }
  })

  it('have another revision when a default or a schema differs', () => {
    const revisionOf = (schema: TSchema, value: string) =>
      new DeclaredSettings([{ prefix: setting(schema, { default: value }) }]).revision
    assert.equal(revisionOf(text, 'a'), revisionOf(text, 'a'))
    assert.notEqual(revisionOf(text, 'a'), revisionOf(text, 'b'))
    assert.notEqual(revisionOf(text, 'a'), revisionOf(Type.String({ maxLength: 11 }), 'a'))
  })
})

describe('The settings of the service itself', () => {
  const declared = new DeclaredSettings([builtInSettings])

  it('accept what they are for', () => {
    const input = {
      brandName: ' Acme ',
      brandLogoUrl: 'https://acme.example/logo.svg',
      brandColor: '#1A2b3c',
      brandAccentColor: null,
      locale: 'de-CH',
      timeZone: 'Europe/Zurich',
    }
    assert.deepEqual(declared.readChange(input), { ...input, brandName: 'Acme' })
  })

  it('refuse anything else, and say of which setting', () => {
    const refused = {
      brandName: '',
      brandLogoUrl: 'javascript:alert(1)',
      brandColor: 'red',
      brandAccentColor: '#12345',
      locale: 'no language',
      timeZone: '+01:00',
      brandColour: '#1a2b3c',
    }
    for (const [name, value] of Object.entries(refused)) {
      assert.throws(
        () => declared.readChange({ [name]: value }),
        (error: unknown) => error instanceof ServiceError && error.message.startsWith(`${name}: `),
        name,
      )
    }
  })
})
