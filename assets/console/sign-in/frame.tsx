/** The frame around pages without a sign-in: the brand, the form, and a picture in the colour of the brand. */
import { Globe } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useBrand } from '../brand.ts'
import { BrandTile } from '../component/brand-tile.tsx'
import { Icon } from '../component/icon.tsx'
import { chooseLanguage, languageCode, languages, text } from '../text/text.ts'

interface FrameProps {
  title: string
  subtitle?: string
  children: ComponentChildren
}

export function SignInFrame({ title, subtitle, children }: FrameProps) {
  const brand = useBrand()
  // The first tenant is called Default until somebody renames it.
  const name = brand === null || brand.name === 'Default' ? 'Tenantry' : brand.name
  const main = useRef<HTMLElement>(null)
  // Without a mouse, the focus would open a keyboard on the screen that covers the page.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) main.current?.querySelector('input')?.focus()
  }, [title])
  return (
    <div class="sign-in">
      <div class="sign-in-form">
        <header class="row">
          <BrandTile brand={brand} name={name} />
          <strong>{name}</strong>
        </header>
        <main class="stack" ref={main}>
          <div>
            <h1>{title}</h1>
            {subtitle !== undefined && <p class="soft">{subtitle}</p>}
          </div>
          {children}
        </main>
        <footer class="row">
          <Icon node={Globe} />
          <select
            class="inline"
            aria-label={text.navigation.language}
            value={languageCode}
            onChange={(event) => chooseLanguage(event.currentTarget.value)}
          >
            {languages.map(([code, own]) => (
              <option key={code} value={code}>
                {own}
              </option>
            ))}
          </select>
        </footer>
      </div>
      <div class="sign-in-picture" aria-hidden="true">
        <Waves />
      </div>
    </div>
  )
}

const lines = Array.from({ length: 15 }, (_, index) => index)

/** A picture of waves: towards the lower edge, the lines are further apart, higher and clearer. */
function Waves() {
  return (
    <svg aria-hidden="true" viewBox="0 0 800 900" preserveAspectRatio="xMidYMax slice">
      {lines.map((line) => (
        <path key={line} d={waveOf(line)} stroke-opacity={0.06 + line * 0.028} />
      ))}
    </svg>
  )
}

function waveOf(line: number): string {
  const y = 400 + line * (18 + line * 1.4)
  const height = 4 + line * 2.6
  const shift = line * 47
  const points = Array.from({ length: 21 }, (_, index) => {
    const x = index * 40
    return `${x} ${Math.round((y + height * Math.sin((x + shift) / 150)) * 10) / 10}`
  })
  return `M${points.join('L')}`
}
