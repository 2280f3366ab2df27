//! The body of an answer that is sent line by line while it is computed.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use hyper::body::{Body, Frame};
use serde_json::json;
use tokio::sync::mpsc::Receiver;
use tokio::task::AbortHandle;

use crate::problem::Problem;
use crate::stop::StopOnDrop;

/// What the thread that computes an answer sends.
pub(crate) enum Event {
    /// Whole lines.
    Line(Bytes),
    /// The last line, or why the answer is incomplete. Nothing follows.
    End(Result<Vec<u8>, Problem>),
}

/// A body of lines. The work is stopped when it is dropped.
pub(crate) struct LineBody {
    first: Option<Event>,
    receiver: Receiver<Event>,
    guard: StopOnDrop,
    timer: AbortHandle,
}

impl LineBody {
    /// Waits for the first line.
    ///
    /// # Errors
    /// The problem that came instead.
    pub(crate) async fn new(
        mut receiver: Receiver<Event>,
        guard: StopOnDrop,
        timer: AbortHandle,
    ) -> Result<Self, Problem> {
        let first = receiver.recv().await.unwrap_or_else(failed);
        let mut body = Self { first: None, receiver, guard, timer };
        match first {
            Event::End(Err(problem)) => {
                body.end(&problem);
                Err(problem)
            }
            first => {
                body.first = Some(first);
                Ok(body)
            }
        }
    }

    /// Marks the answer as ended, whether it is complete or not.
    fn end(&mut self, problem: &Problem) {
        self.guard.is_done = true;
        if problem.status == 503 {
            self.guard.count_budget_stop();
        }
    }
}

/// Returns what is sent in place of an answer whose thread has panicked.
fn failed() -> Event {
    Event::End(Err(Problem::failed()))
}

impl Drop for LineBody {
    fn drop(&mut self) {
        self.timer.abort();
    }
}

impl Body for LineBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.guard.is_done {
            return Poll::Ready(None);
        }
        let event = match self.first.take() {
            Some(event) => event,
            None => ready!(self.receiver.poll_recv(context)).unwrap_or_else(failed),
        };
        let lines = match event {
            Event::Line(lines) => lines,
            Event::End(Ok(last)) => {
                self.guard.is_done = true;
                last.into()
            }
            Event::End(Err(problem)) => {
                self.end(&problem);
                let last = json!({ "complete": false, "problem": problem.json() });
                format!("{last}\n").into()
            }
        };
        Poll::Ready(Some(Ok(Frame::data(lines))))
    }
}
