/** How the account pages look with the values that are typed. */
import { useEffect, useRef } from 'preact/hooks'
import type { Values } from '../../describe.ts'
import { text } from '../../text/text.ts'

const texts = text.administration.settings
const colour = /^#[0-9A-Fa-f]{6}$/

export function BrandPreview({ values }: { values: Values }) {
  const element = useRef<HTMLDivElement>(null)
  const { brandName, brandLogoUrl, brandColor, brandAccentColor } = values
  // The policy of the page forbids style attributes, not properties that a script sets.
  useEffect(() => {
    const { style } = element.current ?? document.createElement('div')
    style.setProperty('--brand', colourOf(brandColor))
    const accent = colourOf(brandAccentColor) || colourOf(brandColor)
    style.setProperty('--brand-accent', accent)
    style.setProperty('--brand-ink', accent === '' ? '' : isBright(accent) ? '#1c2024' : '#fff')
  }, [brandColor, brandAccentColor])
  return (
    <section class="stack" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <div class="card stack brand" ref={element}>
        <strong class="brand-name">
          {typeof brandName === 'string' && brandName !== '' ? brandName : texts.noBrand}
        </strong>
        <span>{texts.previewText}</span>
        <span class="brand-button">{text.signIn.button}</span>
      </div>
      {typeof brandLogoUrl === 'string' && brandLogoUrl !== '' && <p class="soft">{texts.logo}</p>}
    </section>
  )
}

/** @returns nothing for what is no colour yet: the style sheet has a default */
function colourOf(value: unknown): string {
  return typeof value === 'string' && colour.test(value) ? value : ''
}

/** Whether white would not be readable on it (WCAG 2: a contrast of 4.5). */
function isBright(given: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(given.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) < 4.5
}
