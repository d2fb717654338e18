/**
 * Shows a page or a panel of the application in a frame, which has no access to the storage or the token of the
 * console.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { useBrand } from '../brand.ts'
import { mayLeaveUnsaved } from '../component/leave.ts'
import { PageHead } from '../component/page-head.tsx'
import { toast } from '../component/toast.tsx'
import type { EntityDescription, Row } from '../describe.ts'
import { goTo, hrefOf, useLeaveGuard } from '../router.ts'
import { serviceAddress } from '../service.ts'
import { iconOf } from '../shell/entity-icon.ts'
import { openPalette } from '../shell/open-palette.ts'
import { useTitle } from '../shell/title.ts'
import { languageCode, text } from '../text/text.ts'
import { theme } from '../theme.ts'
import { type Channel, openChannel } from './channel.ts'
import type { FrameDescription } from './description.ts'
import { framesAt } from './frames.ts'

const maxHeight = 4000

interface FrameProps {
  frame: FrameDescription
  row?: Row | null
  onSaved?: (() => void) | undefined
}

export function ApplicationFrame({ frame: { name, label, entity }, row = null, onSaved }: FrameProps) {
  const { user } = useApp()
  const tenant = useBrand()?.name ?? user.tenantId
  const element = useRef<HTMLIFrameElement>(null)
  const channel = useRef<Channel | null>(null)
  const saved = useRef(onSaved)
  saved.current = onSaved
  const [height, setHeight] = useState(120)
  const [isDirty, setDirty] = useState(false)
  useLeaveGuard(isDirty, async () => {
    const mayLeave = (await mayLeaveUnsaved(false)) !== null
    // The frame may still be there after leaving, because sorting a list changes the address too. The frame then
    // reports again if it has unsaved changes.
    if (mayLeave) setDirty(false)
    return mayLeave
  })
  useEffect(() => () => channel.current?.close(), [])
  useEffect(() => channel.current?.tell({ type: 'row', row }), [row])
  useEffect(() => onLook(() => channel.current?.tell({ type: 'theme', ...look() })), [])
  const open = () => {
    const inside = element.current?.contentWindow
    if (inside == null) return
    channel.current?.close()
    setDirty(false)
    const { permissions, impersonator: _, ...known } = user
    const init = {
      ...look(),
      language: languageCode,
      tenant: { id: user.tenantId, name: tenant },
      user: known,
      permissions,
      entity,
      row,
    }
    channel.current = openChannel(inside, init, {
      goTo: (path) => goTo(hrefOf(path)),
      toast,
      resize: (wanted) => setHeight(Math.min(Math.max(wanted, 24), maxHeight)),
      dirty: setDirty,
      saved: () => {
        setDirty(false)
        toast(text.state.saved)
        saved.current?.()
      },
      openPalette,
    })
  }
  return (
    <iframe
      ref={element}
      class="app-frame"
      title={label}
      sandbox="allow-scripts allow-forms"
      src={serviceAddress(`/console/frames/${name}/index.html`)}
      style={{ blockSize: `${height}px` }}
      onLoad={open}
    />
  )
}

interface PanelsProps {
  place: FrameDescription['place']
  entity?: EntityDescription
  row?: Row
  onSaved?: () => void
}

/** The panels at a place, one below the other, if the application has any there. */
export function Panels({ place, entity, row, onSaved }: PanelsProps) {
  const frames = framesAt(useApp(), place, entity?.name)
  if (frames.length === 0) return null
  return (
    <div class="stack panels">
      {frames.map((frame) => (
        <section class="card stack" key={frame.name} aria-label={frame.label}>
          <h2>{frame.label}</h2>
          <ApplicationFrame frame={frame} row={row ?? null} onSaved={onSaved} />
        </section>
      ))}
    </div>
  )
}

export function FramePage({ frame }: { frame: FrameDescription }) {
  useTitle(frame.label)
  return (
    <div class="stack">
      <PageHead icon={iconOf(frame.iconPath)} title={frame.label} />
      <ApplicationFrame frame={frame} />
    </div>
  )
}

/** @returns the design tokens: those of the style sheet, and over them those of the tenant's colour */
function look() {
  const [sheet] = document.styleSheets
  const [first] = sheet?.cssRules ?? []
  const names = first instanceof CSSStyleRule ? [...first.style].filter((name) => name.startsWith('--')) : []
  const computed = getComputedStyle(document.documentElement)
  const tokens = Object.fromEntries(names.map((name) => [name, computed.getPropertyValue(name)]))
  return { theme: theme(), tokens }
}

function onLook(notify: () => void): () => void {
  const observer = new MutationObserver(notify)
  observer.observe(document.documentElement, { attributes: true })
  return () => observer.disconnect()
}
