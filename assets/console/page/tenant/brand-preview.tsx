/** Previews the account pages with the typed values, and the colours that the service derives from the brand's. */
import { useRef } from 'preact/hooks'
import { brandColorsOf, contrast, defaultColor, grounds } from '../../../../src/core/brand-colors.ts'
import type { BrandColors } from '../../../../src/core/brand-shape.ts'
import { storedLogo, useBrand } from '../../brand.ts'
import type { Values } from '../../describe.ts'
import { isColor } from '../../entity/color-input.tsx'
import { language, text } from '../../text/text.ts'

const texts = text.brand
const themes = ['light', 'dark'] as const
const ratios = new Intl.NumberFormat(language, { maximumFractionDigits: 1, roundingMode: 'floor' })

interface ThemeProps {
  theme: (typeof themes)[number]
  name: string
  color: string
}

export function BrandPreview({
  values: { brandName, brandLogoUrl, brandColor, brandAccentColor },
}: {
  values: Values
}) {
  const color = useLastColor(brandAccentColor || brandColor)
  const name = typeof brandName === 'string' && brandName !== '' ? brandName : texts.noBrand
  return (
    <section class="card stack" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <p class="soft">{texts.previewHint}</p>
      <div class="halves">
        {themes.map((theme) => (
          <ThemePreview key={theme} theme={theme} name={name} color={color} />
        ))}
      </div>
      {typeof brandLogoUrl === 'string' && brandLogoUrl !== '' && <p class="soft">{texts.logo}</p>}
    </section>
  )
}

/** @returns the last valid colour, also while another one is being typed */
function useLastColor(typed: unknown): string {
  const last = useRef(defaultColor)
  if (isColor(typed)) last.current = typed.toLowerCase()
  else if (typed === undefined || typed === null || typed === '') last.current = defaultColor
  return last.current
}

function ThemePreview({ theme, name, color }: ThemeProps) {
  const brand = useBrand()
  const colors = brandColorsOf(color)[theme]
  const logo = brand === null ? null : (storedLogo(brand.logos[theme]) ?? storedLogo(brand.logos.light))
  return (
    <section class="brand-half" aria-label={texts.themes[theme]}>
      <h3>{texts.themes[theme]}</h3>
      <div class="brand" style={tokensOf(theme, colors)}>
        <div class="brand-page">
          {logo === null ? <strong>{name}</strong> : <img src={logo} alt={name} />}
          <span>{texts.previewText}</span>
          <span class="brand-button">{text.signIn.button}</span>
          <span class="brand-link">{text.signIn.forgotten}</span>
        </div>
      </div>
      <ul class="brand-uses">
        <Use
          color={colors.solid}
          what={texts.buttons}
          how={[
            shadeOf(colors.solid, color),
            texts.buttonText[colors.onSolid === '#ffffff' ? 'white' : 'dark'],
          ]}
          ratio={contrast(colors.onSolid, colors.solid)}
        />
        <Use
          color={colors.accentText}
          what={texts.links}
          how={[shadeOf(colors.accentText, color)]}
          ratio={leastContrast(theme, colors)}
        />
      </ul>
    </section>
  )
}

function Use(use: { color: string; what: string; how: readonly string[]; ratio: number }) {
  return (
    <li>
      <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
        <path d="M0 0h1v1H0z" fill={use.color} />
      </svg>
      <span>
        <strong>{use.what}</strong> <code>{use.color}</code>
        <br />
        <span class="soft">{use.how.join(', ')}</span>
      </span>
      <span class="figures">{texts.contrast(ratios.format(use.ratio))}</span>
    </li>
  )
}

function shadeOf(shade: string, color: string): string {
  if (shade === color) return texts.shades.same
  return contrast(shade, '#ffffff') > contrast(color, '#ffffff') ? texts.shades.darker : texts.shades.lighter
}

/** @returns the least contrast of links, over all backgrounds */
function leastContrast(theme: ThemeProps['theme'], { accentText, tint, tintRaised }: BrandColors): number {
  const { canvas, surface, raised, sunken } = grounds[theme]
  return Math.min(
    ...[canvas, surface, raised, sunken, tint, tintRaised].map((ground) => contrast(accentText, ground)),
  )
}

function tokensOf(theme: ThemeProps['theme'], { solid, onSolid, accentText }: BrandColors) {
  return { colorScheme: theme, '--accent': solid, '--accent-ink': onSolid, '--accent-text': accentText }
}
