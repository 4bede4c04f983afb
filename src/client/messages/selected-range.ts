/** What is selected in the page, if anything is. */
export function selectedRange(): Range | undefined {
  const selection = getSelection()
  return selection && !selection.isCollapsed && selection.rangeCount > 0
    ? selection.getRangeAt(0).cloneRange()
    : undefined
}
