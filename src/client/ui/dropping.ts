/** What makes an element take files that are dropped on it; it has `data-dropping` while they are above it. */
export function dropping(take: (files: FileList) => void) {
  const mark = ({ currentTarget }: DragEvent, isOver: boolean) =>
    (currentTarget as HTMLElement).toggleAttribute('data-dropping', isOver)
  return {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      mark(event, true)
    },
    onDragLeave: (event: DragEvent) => mark(event, false),
    onDrop(event: DragEvent) {
      mark(event, false)
      const files = event.dataTransfer?.files
      if (!files || files.length === 0) return
      event.preventDefault()
      take(files)
    },
  }
}
