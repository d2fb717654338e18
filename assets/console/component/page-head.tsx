/** The head of a page: an icon, the title with badges, a line about it, and buttons. */
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Tile, type Tint } from './tile.tsx'

interface PageHeadProps {
  title: ComponentChildren
  icon?: IconNode
  tint?: Tint
  badges?: ComponentChildren
  subtitle?: ComponentChildren
  /** The buttons, the most usual one last. */
  children?: ComponentChildren
}

export function PageHead({ title, icon, tint = 'iris', badges, subtitle, children }: PageHeadProps) {
  return (
    <div class="page-head">
      {icon !== undefined && <Tile name="" icon={icon} tint={tint} size="large" />}
      <div class="titles">
        <div class="row">
          <h1>{title}</h1>
          {badges}
        </div>
        {subtitle !== undefined && <p class="soft wrap">{subtitle}</p>}
      </div>
      {children !== undefined && <div class="end">{children}</div>}
    </div>
  )
}
