/** The way to any page by its name: Ctrl+K, or the button. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { Dialog } from './component/dialog.tsx'
import { goTo } from './router.ts'
import { text } from './text/text.ts'

export interface NavigationLink {
  href: string
  label: string
}

export function Palette({ links }: { links: readonly NavigationLink[] }) {
  const [isOpen, setOpen] = useState(false)
  // As soon as the button is there.
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        {text.navigation.palette}
      </button>
      {isOpen && <PaletteDialog links={links} onClose={() => setOpen(false)} />}
    </>
  )
}

function PaletteDialog({ links, onClose }: { links: readonly NavigationLink[]; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const found = links.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
  const open = (link: NavigationLink | undefined) => {
    if (link === undefined) return
    onClose()
    goTo(link.href)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    open(found[0])
  }
  return (
    <Dialog title={text.navigation.palette} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <input
          type="search"
          aria-label={text.navigation.paletteHint}
          placeholder={text.navigation.paletteHint}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <ul class="options">
          {found.slice(0, 20).map((link) => (
            <li key={link.href}>
              <button type="button" onClick={() => open(link)}>
                {link.label}
              </button>
            </li>
          ))}
        </ul>
        <div class="row">
          <button type="button" onClick={onClose}>
            {text.action.close}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
