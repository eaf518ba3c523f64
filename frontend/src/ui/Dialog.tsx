import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Dialog.module.css'

type DialogProps = { isOpen: boolean; title: string; onClose: () => void; children: ReactNode }

/** Mantine's dialog without its `header` element, which would be a second banner on the page. */
export function Dialog({ isOpen, title, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} classNames={{ content: classes.content ?? '' }}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={classes.body ?? ''}>
          <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
