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
    style.setProperty('--brand-accent', colourOf(brandAccentColor))
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
