import { type Static, Type } from 'typebox'
import { BrandColors } from '../../core/brand-shape.ts'
import { Nullable } from '../../core/schema/schema.ts'

const logo = (description: string, example: string | null) =>
  Nullable(Type.String({ description, examples: [example] }))

export const TenantBrand = Type.Object(
  {
    name: Type.String({ description: 'The name that customers of the tenant read', examples: ['Acme'] }),
    logos: Type.Object(
      {
        light: logo(
          'The stored logo, or else the address of `brandLogoUrl`',
          'https://example.com/api/tenant/brand/logo?tenant=acme&v=1f3c9a7e5b2d4f60',
        ),
        dark: logo('The stored logo for dark pages', null),
      },
      { description: 'The addresses of the logos' },
    ),
    color: Nullable(
      Type.String({
        description: 'The colour from which the others are computed; `null` if the tenant has set none',
        examples: ['#5b5bd6'],
      }),
    ),
    colors: Type.Object(
      { light: BrandColors, dark: BrandColors },
      { description: 'The colours of both themes' },
    ),
    signInUrl: Type.String({
      description: 'Where users of the tenant sign in',
      examples: ['https://example.com/console?tenant=acme'],
    }),
  },
  { $id: 'TenantBrand', description: 'How a tenant looks, and where its users sign in.' },
)

export const LogoQuery = Type.Object({
  v: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The version in the address that the brand has: clients keep such a reply for a year',
      examples: ['1f3c9a7e5b2d4f60'],
    }),
  ),
})

export type TenantBrand = Static<typeof TenantBrand>
