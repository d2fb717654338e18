/** Shows the logo of a tenant, or the first letter of its name. */
import { type Brand, logoOf } from '../brand.ts'
import { language } from '../text/text.ts'

export function BrandTile({ brand, name }: { brand: Brand | null; name: string }) {
  const logo = brand === null ? null : logoOf(brand)
  return (
    <span class="tile brand-tile" aria-hidden="true">
      {logo === null ? ([...name][0] ?? '').toLocaleUpperCase(language) : <img src={logo} alt="" />}
    </span>
  )
}
