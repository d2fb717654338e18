/** Describes the settings that tenants have, so that forms need not know them in advance. */
import { type Static, type TSchema, Type } from 'typebox'
import { wholeSchema } from '../../api/openapi/schema.ts'
import { translated } from '../../core/language/languages.ts'
import { type DeclaredSettings, maxSettings } from '../../core/tenant/settings/declared.ts'

const TenantSettingDefinition = Type.Object(
  {
    name: Type.String({ description: 'The member of the settings', examples: ['timeZone'] }),
    label: Type.Optional(
      Type.String({
        description: 'Its name in the language asked for; absent if it has none there',
        examples: ['Zeitzone'],
      }),
    ),
    isPublic: Type.Boolean({ description: 'Whether everybody may read it' }),
    isForHost: Type.Boolean({ description: 'Whether only the host changes it' }),
    defaultValue: Type.Unknown({
      description: 'The value of a tenant that has not set it',
      examples: ['UTC'],
    }),
    schema: Type.Unknown({
      description: 'The JSON Schema of a value in a change, where `null` gives the default again',
      examples: [{ type: ['string', 'null'], maxLength: 64 }],
    }),
  },
  { $id: 'TenantSettingDefinition', description: 'A setting that every tenant has.' },
)

export const TenantSettingDefinitions = Type.Array(TenantSettingDefinition, { maxItems: maxSettings })

export function describeSettings(
  { entries, shapes }: DeclaredSettings,
  language: string,
): Static<typeof TenantSettingDefinitions> {
  const { properties } = shapes.change as TSchema & { properties: Readonly<Record<string, TSchema>> } // of an object
  return entries.map(([name, { isPublic, isForHost = false, default: defaultValue, labels }]) => {
    const label = translated(language, 'settings', { name, text: '', labels })
    const schema = wholeSchema(properties[name] ?? {})
    return { name, ...(label !== '' && { label }), isPublic, isForHost, defaultValue, schema }
  })
}
