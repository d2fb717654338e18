/** The colours of a brand, as clients get them. The console loads `brand-colors.ts`, and no shapes. */
import { type Static, Type } from 'typebox'

const shade = (description: string, example: string) => Type.String({ description, examples: [example] })

export const BrandColors = Type.Object(
  {
    solid: shade('The ground of buttons', '#5b5bd6'),
    onSolid: shade('Text on it', '#ffffff'),
    solidHover: shade('That ground under a pointer', '#5352cc'),
    accentText: shade('Links, and text of what is chosen', '#5b5bd6'),
    focus: shade('The outline of what has the focus', '#5b5bd6'),
    tint: shade('The ground of what is chosen', '#efeffb'),
    tintRaised: shade('The same on what lies above the page', '#efeffb'),
  },
  { $id: 'BrandColors', description: 'The colours of one theme, computed from the colour of the tenant.' },
)

export type BrandColors = Static<typeof BrandColors>
