/** Where a page begins: its sign, its title with badges, a line about it, and what can be done. */
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Tile, type Tint } from './tile.tsx'

interface PageHeadProps {
  title: ComponentChildren
  icon?: IconNode
  tint?: Tint
  badges?: ComponentChildren
  subtitle?: ComponentChildren
  /** The most usual action last. */
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
