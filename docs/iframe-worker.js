// Browsers start no workers for pages opened from disk, so a hidden frame runs the search there.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.inside = frame.contentWindow
      this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.inside.importScripts = (...each) => each.reduce((before, one) => before.then(() => this.load(one)), Promise.resolve())
      this.ready = this.load(address)
    }

    load(address) {
      const script = this.inside.document.createElement("script")
      return new Promise(loaded => {
        script.onload = loaded
        script.src = new URL(address, location.href)
        this.inside.document.head.append(script)
      })
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })))
    }
  }
}
